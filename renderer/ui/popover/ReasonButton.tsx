/** Buttons that say why they cannot be used now: they stay reachable with the keyboard, unlike disabled ones. */
import type { MouseEvent, MouseEventHandler } from 'react';
import { ActionIcon, Button, Tooltip, type ActionIconProps, type ButtonProps, type ElementProps } from '@mantine/core';

interface Reason {
  /** Null while it can be used. */
  whyNot: string | null;
  onClick?: MouseEventHandler<HTMLButtonElement>;
}

interface ReasonButtonProps
  extends ButtonProps, Omit<ElementProps<'button', keyof ButtonProps>, 'title' | 'onClick'>, Reason {
  /** What a click does, for a tooltip while it can be used. */
  hint?: string | undefined;
  'data-spends'?: true | undefined;
}

/** The label is its name, which is no tooltip: give it as `hint` as well where it should be one. */
interface ReasonIconProps
  extends ActionIconProps, Omit<ElementProps<'button', keyof ActionIconProps>, 'title' | 'onClick'>, Reason {
  'aria-label': string;
  hint?: string | undefined;
}

/** Neither acts nor submits. */
const refuse = (event: MouseEvent): void => event.preventDefault();

/** The properties of an element that cannot be used; a screen reader says the reason with its name. */
const unusable = (whyNot: string) => ({
  'aria-disabled': true,
  'data-disabled': true,
  'aria-description': whyNot,
  onClick: refuse,
});

export function ReasonButton({ whyNot, hint, onClick, ...others }: ReasonButtonProps) {
  const words = whyNot ?? hint;
  const state = whyNot === null ? { onClick, 'aria-description': hint } : unusable(whyNot);
  return (
    <Tooltip label={words} disabled={words === undefined}>
      <Button {...others} {...state} />
    </Tooltip>
  );
}

export function ReasonIcon({ whyNot, hint, onClick, ...others }: ReasonIconProps) {
  const words = whyNot ?? hint;
  return (
    <Tooltip label={words} disabled={words === undefined}>
      <ActionIcon {...others} {...(whyNot === null ? { onClick } : unusable(whyNot))} />
    </Tooltip>
  );
}
