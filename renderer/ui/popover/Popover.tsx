/** A popover beside its opener. It takes the focus, and gives it back. */
import { Popover as MantinePopover, type PopoverProps as MantineProps } from '@mantine/core';
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

Popover.Target = MantinePopover.Target;
Popover.Dropdown = MantinePopover.Dropdown;
