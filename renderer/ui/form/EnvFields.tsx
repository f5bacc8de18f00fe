/** Variables as rows of a name and a value. */
import { useState, type ClipboardEvent } from 'react';
import { ActionIcon, Button, Textarea, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import type { EnvRow } from './envRows.ts';
import { readEnvText } from './envText.ts';
import styles from './form.module.css';
import { counted, t } from '../../language/text.ts';

interface EnvFieldsProps {
  rows: readonly EnvRow[];
  problem: string | undefined;
  onChange: (rows: EnvRow[]) => void;
}

export function EnvFields({ rows, problem, onChange }: EnvFieldsProps) {
  const [report, setReport] = useState<string | null>(null);
  /** The row that was added last: its name takes the focus. */
  const [added, setAdded] = useState<number | null>(null);
  const put = (index: number, change: Partial<EnvRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...change } : row)));
  const paste = (event: ClipboardEvent, index: number, isName: boolean) => {
    const text = event.clipboardData.getData('text/plain');
    const pasted = readEnvText(text);
    if (isEnvText(text, pasted, isName)) {
      event.preventDefault();
      onChange(withPasted(rows, index, pasted.rows));
      setReport(pasteReport(pasted));
    } else if (!isName && /[\r\n]/.test(text.trim()) && rows[index]?.value === '') {
      // A field of one line would lose the ends of the lines.
      event.preventDefault();
      put(index, { value: text });
    }
  };
  return (
    <div className={styles.env} role="group" aria-label={t`Variables`}>
      {rows.map((row, index) => (
        <div key={index} className={styles.envRow}>
          <TextInput
            aria-label={t`Name of variable ${index + 1}`}
            placeholder={t`NAME`}
            value={row.name}
            autoFocus={index === added}
            spellCheck={false}
            onPaste={(event) => paste(event, index, true)}
            onChange={(event) => put(index, { name: event.currentTarget.value.trim() })}
          />
          <ValueField
            label={t`Value of variable ${index + 1}`}
            value={row.value}
            onPaste={(event) => paste(event, index, false)}
            onChange={(value) => put(index, { value })}
          />
          <ActionIcon
            aria-label={t`Remove variable ${index + 1}`}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          >
            <X size={13} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <p className={styles.envHint} role="status">
        {rows.length === 0
          ? t`Add a variable, or paste the text of a .env file into the name of a new one.`
          : (report ?? t`The text of a .env file can be pasted into a name.`)}
      </p>
      <Button
        size="xs"
        variant="default"
        leftSection={<Plus size={12} aria-hidden />}
        onClick={() => {
          setAdded(rows.length);
          onChange([...rows, { name: '', value: '' }]);
        }}
      >{t`Add a variable`}</Button>
    </div>
  );
}

interface ValueFieldProps {
  label: string;
  value: string;
  onPaste: (event: ClipboardEvent) => void;
  onChange: (value: string) => void;
}

const MOST_LINES = 6;

/** A value of several lines has a field of several lines. */
function ValueField({ label, value, onPaste, onChange }: ValueFieldProps) {
  const lines = value.split('\n').length;
  const common = {
    'aria-label': label,
    placeholder: t`value`,
    value,
    spellCheck: false,
    autoComplete: 'off',
    onPaste,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  return lines === 1 ? <TextInput {...common} /> : <Textarea {...common} rows={Math.min(lines, MOST_LINES)} />;
}

/** In the field of a value, a single NAME=value is a value, such as an option of a program. */
const isEnvText = (text: string, { rows, unreadLines }: ReturnType<typeof readEnvText>, isName: boolean): boolean =>
  isName ? rows.length > 0 : rows.length > 1 && unreadLines.length === 0 && /[\r\n]/.test(text.trim());

/** The rows with the pasted ones in the place of the row at `index`, if that has no other name, and of equal names. */
function withPasted(rows: readonly EnvRow[], index: number, pasted: readonly EnvRow[]): EnvRow[] {
  const isReplaced = ({ name }: EnvRow): boolean => pasted.some((row) => row.name === name);
  return rows.flatMap((row, at) => {
    const remaining = isReplaced(row) || (at === index && row.name === '') ? [] : [row];
    return at === index ? [...remaining, ...pasted] : remaining;
  });
}

/** Lines are named by their numbers: their text may be secret. */
function pasteReport({ rows, unreadLines }: ReturnType<typeof readEnvText>): string {
  const read = counted(rows.length, 'Pasted {0} variable.', 'Pasted {0} variables.');
  if (unreadLines.length === 0) return read;
  const left = counted(
    unreadLines.length,
    'Line {0} is left out: it is not NAME=value.',
    'Lines {0} are left out: they are not NAME=value.',
    unreadLines.join(', '),
  );
  return `${read} ${left}`;
}
