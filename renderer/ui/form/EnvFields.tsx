/** Variables as rows of a name and a value. */
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import styles from './form.module.css';

export interface EnvRow {
  name: string;
  value: string;
}

interface EnvFieldsProps {
  rows: readonly EnvRow[];
  problem: string | undefined;
  onChange: (rows: EnvRow[]) => void;
}

export function EnvFields({ rows, problem, onChange }: EnvFieldsProps) {
  const put = (index: number, change: Partial<EnvRow>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...change } : row)));
  return (
    <div className={styles.env} role="group" aria-label="Variables">
      {rows.map((row, index) => (
        <div key={index} className={styles.envRow}>
          <TextInput
            aria-label={`Name of variable ${index + 1}`}
            placeholder="NAME"
            value={row.name}
            spellCheck={false}
            onChange={(event) => put(index, { name: event.currentTarget.value.trim() })}
          />
          <TextInput
            aria-label={`Value of variable ${index + 1}`}
            placeholder="value"
            value={row.value}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => put(index, { value: event.currentTarget.value })}
          />
          <ActionIcon
            aria-label={`Remove variable ${index + 1}`}
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
      >
        Add a variable
      </Button>
    </div>
  );
}
