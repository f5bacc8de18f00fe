/**
 * The element of all buttons. One that is loading keeps the focus and is said to be busy, and its clicks do nothing.
 */
import type { ComponentPropsWithRef, MouseEvent } from 'react';

interface ButtonElementProps extends ComponentPropsWithRef<'button'> {
  /** Mantine sets it while a button is loading, and disables the button as well, which would take the focus from it. */
  'data-loading'?: boolean;
}

/** Neither acts nor submits. */
const ignore = (event: MouseEvent): void => {
  event.preventDefault();
  event.stopPropagation();
};

export function ButtonElement({ type = 'button', ...all }: ButtonElementProps) {
  if (all['data-loading'] !== true) return <button {...all} type={type} />;
  const { disabled: _, ...others } = all;
  return <button {...others} type={type} aria-busy aria-disabled onClick={ignore} />;
}
