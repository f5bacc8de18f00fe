/** Buttons that say why they cannot be used now: they stay reachable with the keyboard, unlike disabled ones. */
import type { MouseEvent, MouseEventHandler } from 'react';
import {
  ActionIcon,
  Button,
  UnstyledButton,
  type ActionIconProps,
  type ButtonProps,
  type ElementProps,
  type UnstyledButtonProps,
} from '@mantine/core';
import { Tip } from './Tip.tsx';

interface Reason {
  /** Null while it can be used. */
  whyNot: string | null;
  /** What a click does, for a tooltip while it can be used. */
  hint?: string | undefined;
  onClick?: MouseEventHandler<HTMLButtonElement> | undefined;
  'data-spends'?: true | undefined;
}

/** The tooltip is no `title`, which the keyboard does not show. */
type Native<Props> = Omit<ElementProps<'button', keyof Props & string>, 'title' | 'onClick'>;

interface ReasonButtonProps extends ButtonProps, Native<ButtonProps>, Reason {}

interface ReasonIconProps extends ActionIconProps, Native<ActionIconProps>, Reason {
  /** Its name, which is no tooltip: give it as `hint`, too, where it should be one. */
  'aria-label': string;
}

interface ReasonTextProps extends UnstyledButtonProps, Native<UnstyledButtonProps>, Reason {}

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
    <Tip label={words ?? ''} disabled={words === undefined}>
      <Button {...others} {...state} />
    </Tip>
  );
}

export function ReasonIcon({ whyNot, hint, onClick, ...others }: ReasonIconProps) {
  const words = whyNot ?? hint;
  return (
    <Tip label={words ?? ''} disabled={words === undefined}>
      <ActionIcon {...others} {...(whyNot === null ? { onClick } : unusable(whyNot))} />
    </Tip>
  );
}

/** Without the looks of a button. */
export function ReasonText({ whyNot, hint, onClick, ...others }: ReasonTextProps) {
  const words = whyNot ?? hint;
  const state = whyNot === null ? { onClick, 'aria-description': hint } : unusable(whyNot);
  return (
    <Tip label={words ?? ''} disabled={words === undefined}>
      <UnstyledButton {...others} {...state} />
    </Tip>
  );
}
