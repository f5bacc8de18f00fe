/** Variables as rows of a name and a value. */
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import type { EnvRow } from './envRows.ts';
import styles from './form.module.css';
import { t } from '../../language/text.ts';

interface EnvFieldsProps {
  rows: readonly EnvRow[];
  problem: string | undefined;
  onChange: (rows: EnvRow[]) => void;
}

export function EnvFields({ rows, problem, onChange }: EnvFieldsProps) {
  const put = (index: number, change: Partial<EnvRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...change } : row)));
  return (
    <div className={styles.env} role="group" aria-label={t`Variables`}>
      {rows.map((row, index) => (
        <div key={index} className={styles.envRow}>
          <TextInput
            aria-label={t`Name of variable ${index + 1}`}
            placeholder={t`NAME`}
            value={row.name}
            spellCheck={false}
            onChange={(event) => put(index, { name: event.currentTarget.value.trim() })}
          />
          <TextInput
            aria-label={t`Value of variable ${index + 1}`}
            placeholder={t`value`}
            value={row.value}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => put(index, { value: event.currentTarget.value })}
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
      <Button
        size="xs"
        variant="default"
        leftSection={<Plus size={12} aria-hidden />}
        onClick={() => onChange([...rows, { name: '', value: '' }])}
      >{t`Add a variable`}</Button>
    </div>
  );
}
