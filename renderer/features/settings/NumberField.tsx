/** A number of the settings: saved when the person has typed another; what was wrong with it is told below. */
import { useState } from 'react';
import { NumberInput } from '@mantine/core';

interface NumberFieldProps {
  label: string;
  /** Only for screen readers, where a table's head says it. */
  hideLabel?: boolean;
  unit?: string;
  /** Null: there is no limit. */
  value: number | null;
  usual: number | null;
  /** Whether it may be left empty for no limit. */
  mayBeNone?: boolean;
  /** Why the last number was refused. */
  error: string | null;
  className?: string;
  onChange: (value: number | null) => void;
}

export function NumberField(props: NumberFieldProps) {
  const { label, hideLabel = false, unit, value, usual, mayBeNone = false, error, className, onChange } = props;
  /** What was typed and is not saved; a refused number stays, so that it can be corrected. */
  const [draft, setDraft] = useState<number | string | null>(null);
  if (draft !== null && (draft === '' ? null : Number(draft)) === value) setDraft(null);
  const commit = () => {
    if (draft === null) return;
    if (draft !== '') onChange(Number(draft));
    else if (mayBeNone) onChange(null);
    else setDraft(null);
  };
  const changed = value !== usual;
  return (
    <NumberInput
      {...(hideLabel ? { 'aria-label': label } : { label })}
      {...(className !== undefined && { className })}
      hideControls
      {...(unit !== undefined && { suffix: ` ${unit}` })}
      placeholder={mayBeNone ? 'no limit' : ''}
      thousandSeparator={'\u202f'}
      value={draft ?? value ?? ''}
      error={error}
      description={changed && !hideLabel ? `Usually ${usual === null ? 'no limit' : usual}` : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={setDraft}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}
