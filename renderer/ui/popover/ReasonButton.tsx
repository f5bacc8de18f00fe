/** A button that says why it cannot be used now: it stays reachable with the keyboard, unlike a disabled one. */
import type { MouseEventHandler } from 'react';
import { Button, Tooltip, type ButtonProps } from '@mantine/core';

interface ReasonButtonProps extends ButtonProps {
  /** Null while it can be used. */
  whyNot: string | null;
  type?: 'submit';
  'data-spends'?: true | undefined;
  onClick?: MouseEventHandler<HTMLButtonElement>;
}

export function ReasonButton({ whyNot, onClick, ...others }: ReasonButtonProps) {
  return (
    <Tooltip label={whyNot} disabled={whyNot === null}>
      <Button
        {...others}
        {...(whyNot !== null && { 'aria-disabled': true, 'data-disabled': true, 'aria-description': whyNot })}
        onClick={whyNot === null ? onClick : (event) => event.preventDefault()}
      />
    </Tooltip>
  );
}
