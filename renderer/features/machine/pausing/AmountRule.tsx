/** A rule with a number: it switches on with a default, and another number is saved after the input. */
import { useState, type ReactNode } from 'react';
import { NumberInput } from '@mantine/core';
import { ReasonField } from '../../../ui/popover/ReasonField.tsx';
import { SavedSwitch } from '../../../ui/saved/SavedSwitch.tsx';
import styles from './rules.module.css';
import { t } from '../../../language/text.ts';

interface AmountRuleProps {
  label: string;
  unit: string;
  /** The default value. */
  usual: number;
  /** Null: off. */
  value: number | null;
  /** Why the last value was refused. */
  error: string | null;
  /** Saves it; resolves once that is over. */
  onChange: (value: number | null) => Promise<void>;
  /** Whether the rule is fulfilled now. */
  children: ReactNode;
}

export function AmountRule({ label, unit, usual, value, error, onChange, children }: AmountRuleProps) {
  /** A typed number that is not saved. A refused one stays, so that a person can correct it. */
  const [draft, setDraft] = useState<number | string | null>(null);
  if (draft !== null && draft !== '' && Number(draft) === value) setDraft(null);
  const commit = () => {
    if (draft === '') setDraft(null);
    else if (draft !== null) void onChange(Number(draft));
  };
  return (
    <div className={styles.rule}>
      <div className={styles.ruleLine}>
        <SavedSwitch
          size="xs"
          label={label}
          checked={value !== null}
          onChange={(isOn) => {
            setDraft(null);
            return onChange(isOn ? usual : null);
          }}
        />
        <ReasonField whyNot={value === null ? t`Turn on the rule first.` : null} className={styles.amount}>
          <NumberInput
            aria-label={`${label}, ${unit}`}
            suffix={` ${unit}`}
            hideControls
            value={draft ?? value ?? usual}
            error={error !== null}
            onChange={setDraft}
            onBlur={commit}
            onKeyDown={(event) => event.key === 'Enter' && commit()}
          />
        </ReasonField>
      </div>
      {error !== null && (
        <p className={styles.wrong} role="alert">
          {error}
        </p>
      )}
      {children}
    </div>
  );
}
