/**
 * The field for a secret. The typed text exists only in the element. The sender reads it with `takeSecret`, which also
 * empties the field. No state, cache or storage contains it.
 */
import { useEffect, type RefObject } from 'react';
import { PasswordInput } from '@mantine/core';
import { requiredField } from '../theme/requiredField.ts';
import { t } from '../../language/text.ts';

interface KeyFieldProps {
  label: string;
  description?: string;
  field: RefObject<HTMLInputElement | null>;
  /** Why its secret was refused. The field then has the focus, because it is to be filled again. */
  error?: string | null;
  autoFocus?: boolean;
  /** Whether it stands among other fields and must be filled. */
  isRequired?: boolean;
  /** Fewer characters do not count as a secret. */
  minLength?: number;
  /** Called with whether the field has enough text, without the text. */
  onFilled?: (filled: boolean) => void;
}

export function KeyField({
  label,
  description,
  field,
  error = null,
  autoFocus = false,
  isRequired = false,
  minLength = 1,
  onFilled,
}: KeyFieldProps) {
  useEffect(() => {
    if (error !== null) field.current?.focus();
  }, [error, field]);
  return (
    <PasswordInput
      ref={field}
      label={label}
      {...(description !== undefined && { description })}
      error={error}
      {...(isRequired && requiredField)}
      autoComplete="off"
      spellCheck={false}
      data-autofocus={autoFocus || undefined}
      visibilityToggleButtonProps={{ 'aria-label': t`Show the typed text` }}
      onInput={(event) => onFilled?.(event.currentTarget.value.trim().length >= minLength)}
    />
  );
}

/** Removes the typed text from the field and returns it. */
export function takeSecret(field: RefObject<HTMLInputElement | null>): string {
  const typed = field.current?.value.trim() ?? '';
  if (field.current) field.current.value = '';
  return typed;
}

/** Reads the typed text without removing it, because it is sent once more. */
export const readSecret = (field: RefObject<HTMLInputElement | null>): string => field.current?.value.trim() ?? '';
