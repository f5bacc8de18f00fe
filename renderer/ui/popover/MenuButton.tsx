/** A button with a menu that is no part of the first load of the page. */
import {
  cloneElement,
  useId,
  useRef,
  useState,
  type ComponentType,
  type HTMLAttributes,
  type ReactElement,
  type Ref,
} from 'react';
import type { AnchoredProps } from './AnchoredMenu.tsx';

interface ButtonProps extends HTMLAttributes<HTMLElement> {
  ref?: Ref<HTMLElement>;
  'data-expanded'?: true | undefined;
}

interface MenuButtonProps {
  opened: boolean;
  onChange: (opened: boolean) => void;
  /** An AnchoredMenu, from `deferredPart`. */
  menu: ComponentType<AnchoredProps>;
  children: ReactElement<ButtonProps>;
}

/** The button stays the same element while the menu is loaded, so that it keeps its focus. */
export function MenuButton({ opened, onChange, menu: Part, children }: MenuButtonProps) {
  const id = useId();
  const anchor = useRef<HTMLElement>(null);
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened && !wasOpened) setWasOpened(true);
  return (
    <>
      {cloneElement(children, {
        id,
        ref: anchor,
        onClick: () => onChange(!opened),
        'aria-haspopup': 'menu',
        'aria-expanded': opened,
        'aria-controls': opened ? `${id}-dropdown` : undefined,
        'data-expanded': opened || undefined,
      })}
      {wasOpened && <Part id={id} anchor={anchor} opened={opened} onChange={onChange} />}
    </>
  );
}
