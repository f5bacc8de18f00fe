/**
 * The field for a secret: what is typed stays in the element alone. Whoever sends it takes it with `takeSecret`, which empties the
 * field at the same moment; it is put into no state, no cache and no storage.
 */
import type { RefObject } from 'react';
import { PasswordInput } from '@mantine/core';

interface KeyFieldProps {
  label: string;
  description?: string;
  field: RefObject<HTMLInputElement | null>;
  error?: string | null;
  autoFocus?: boolean;
  /** Told whether anything is in it, not what. */
  onFilled?: (filled: boolean) => void;
}

export function KeyField({ label, description, field, error = null, autoFocus = false, onFilled }: KeyFieldProps) {
  return (
    <PasswordInput
      ref={field}
      label={label}
      {...(description !== undefined && { description })}
      error={error}
      autoComplete="off"
      spellCheck={false}
      data-autofocus={autoFocus || undefined}
      visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed' }}
      onInput={(event) => onFilled?.(event.currentTarget.value.trim() !== '')}
    />
  );
}

/** What was typed; the field is empty from now on. */
export function takeSecret(field: RefObject<HTMLInputElement | null>): string {
  const typed = field.current?.value.trim() ?? '';
  if (field.current) field.current.value = '';
  return typed;
}

/** What was typed, where it will be sent once more; it stays in the field. */
export const readSecret = (field: RefObject<HTMLInputElement | null>): string => field.current?.value.trim() ?? '';
