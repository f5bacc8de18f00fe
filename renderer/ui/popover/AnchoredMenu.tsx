/** A menu beside a button that is rendered elsewhere, by MenuButton. */
import { useEffect, useLayoutEffect, useState, type ReactNode, type RefCallback, type RefObject } from 'react';
import { Menu, type MenuProps } from '@mantine/core';

export interface AnchoredProps {
  /** The id of the button, which names the menu. */
  id: string;
  anchor: RefObject<HTMLElement | null>;
  opened: boolean;
  onChange: (opened: boolean) => void;
}

interface AnchoredMenuProps extends AnchoredProps, Pick<MenuProps, 'position' | 'width'> {
  children: ReactNode;
}

export function AnchoredMenu({ anchor, opened, children, ...menu }: AnchoredMenuProps) {
  // Mantine notes what has the focus when a menu changes to open, not when it begins as open.
  const [isMounted, setMounted] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setMounted(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <Menu {...menu} opened={opened && isMounted} withinPortal>
      <Menu.Target>
        <Anchor of={anchor} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

/** Gives the menu an element that exists already, in place of one of its own. */
function Anchor({ of, ref }: { of: RefObject<HTMLElement | null>; ref?: RefCallback<HTMLElement> }) {
  useLayoutEffect(() => {
    ref?.(of.current);
    return () => void ref?.(null);
  }, [of, ref]);
  return null;
}
