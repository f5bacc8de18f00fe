/** A popover beside its opener. It takes the focus, and gives it back. */
import { Popover as MantinePopover, type PopoverProps as MantineProps } from '@mantine/core';
import { useEscape } from '../../state/backStep.ts';

interface PopoverProps extends Omit<MantineProps, 'opened' | 'onChange'> {
  opened: boolean;
  onChange: (opened: boolean) => void;
}

/** Mantine's own Escape hears only keys inside, and the focus moves there a moment after the opening. */
export function Popover(props: PopoverProps) {
  useEscape(props.opened, () => props.onChange(false));
  return <MantinePopover trapFocus returnFocus {...props} />;
}

Popover.Target = MantinePopover.Target;
Popover.Dropdown = MantinePopover.Dropdown;
