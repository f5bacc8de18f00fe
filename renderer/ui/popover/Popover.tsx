/** A popover beside its opener. It takes the focus, and gives it back. */
import { useId } from 'react';
import { Popover as MantinePopover, type PopoverDropdownProps, type PopoverProps as MantineProps } from '@mantine/core';
import { useEscape } from '../../state/backStep.ts';

interface PopoverProps extends Omit<MantineProps, 'opened' | 'onChange'> {
  opened: boolean;
  onChange: (opened: boolean) => void;
}

/** Where there is room neither above nor below its opener, it lies over it instead of leaving the window. */
const middlewares = { flip: true, shift: { crossAxis: true, padding: 8 } };

/** Mantine's own Escape hears only keys inside, and the focus moves there a moment after the opening. */
export function Popover(props: PopoverProps) {
  useEscape(props.opened, () => props.onChange(false));
  return <MantinePopover trapFocus returnFocus middlewares={middlewares} {...props} />;
}

/**
 * Mantine names every dropdown with a role after its opener, in `aria-labelledby`, before which an `aria-label` counts for
 * nothing. A name of its own stands in a hidden element instead.
 */
function Dropdown({ 'aria-label': name, children, ...props }: PopoverDropdownProps) {
  const id = useId();
  if (name === undefined) return <MantinePopover.Dropdown {...props}>{children}</MantinePopover.Dropdown>;
  return (
    <MantinePopover.Dropdown {...props} aria-labelledby={id}>
      <span id={id} hidden>
        {name}
      </span>
      {children}
    </MantinePopover.Dropdown>
  );
}

Popover.Target = MantinePopover.Target;
Popover.Dropdown = Dropdown;
