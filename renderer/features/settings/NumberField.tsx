/** A number of the settings. It is saved when the field loses the focus; the reason of a refusal is shown below it. */
import { useState } from 'react';
import { NumberInput } from '@mantine/core';
import { t } from '../../language/text.ts';

interface NumberFieldProps {
  label: string;
  /** True: only screen readers read the label, because a table head shows it. */
  hideLabel?: boolean;
  unit?: string;
  /** Null: none. */
  value: number | null;
  usual: number | null;
  /** What an empty field means, which is then allowed: "no limit". */
  none?: string;
  /** Why the last number was refused. */
  error: string | null;
  className?: string;
  onChange: (value: number | null) => void;
}

export function NumberField(props: NumberFieldProps) {
  const { label, hideLabel = false, unit, value, usual, none, error, className, onChange } = props;
  /** A typed number that is not saved. A refused one stays, so that a person can correct it. */
  const [draft, setDraft] = useState<number | string | null>(null);
  if (draft !== null && (draft === '' ? null : Number(draft)) === value) setDraft(null);
  const commit = () => {
    if (draft === null) return;
    if (draft !== '') onChange(Number(draft));
    else if (none !== undefined) onChange(null);
    else setDraft(null);
  };
  const changed = value !== usual;
  return (
    <NumberInput
      {...(hideLabel ? { 'aria-label': label } : { label })}
      {...(className !== undefined && { className })}
      hideControls
      {...(unit !== undefined && { suffix: ` ${unit}` })}
      placeholder={none ?? ''}
      thousandSeparator={'\u202f'}
      value={draft ?? value ?? ''}
      error={error}
      description={changed && !hideLabel ? t`Default: ${usual ?? none ?? ''}` : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={setDraft}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  );
}
