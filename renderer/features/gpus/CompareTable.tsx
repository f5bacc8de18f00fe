/** Chosen GPU types side by side. */
import { ActionIcon } from '@mantine/core';
import { X } from 'lucide-react';
import { Card } from '../../ui/primitives/Card.tsx';
import { formatChoice } from '../../ui/text/format.ts';
import { formatMoney } from '../../ui/text/money.ts';
import type { GpuRow } from './gpuRows.ts';
import styles from './gpus.module.css';
import { t } from '../../language/text.ts';

const money = (amount: number | null): string => (amount === null ? t`none free` : formatMoney(amount));

const facts: readonly { title: string; of: (row: GpuRow) => string; best?: (row: GpuRow) => number | null }[] = [
  { title: t`Memory`, of: ({ memoryInGb }) => `${memoryInGb} GB`, best: ({ memoryInGb }) => -memoryInGb },
  { title: t`Per hour`, of: ({ perHour }) => money(perHour), best: ({ perHour }) => perHour },
  { title: t`Per GPU and hour`, of: ({ perGpu }) => money(perGpu), best: ({ perGpu }) => perGpu },
  { title: t`Per GB and hour`, of: ({ perGb }) => money(perGb), best: ({ perGb }) => perGb },
  { title: t`Stock`, of: ({ stock }) => stock ?? t`not reported` },
  { title: t`GPUs per Pod`, of: ({ counts }) => formatChoice(counts) || t`none free` },
];

export function CompareTable({ rows, onClose }: { rows: readonly GpuRow[]; onClose: () => void }) {
  return (
    <Card aria-label={t`Comparison`} role="region">
      <header className={styles.cardHead}>
        <h2>{t`Side by side`}</h2>
        <ActionIcon aria-label={t`Close the comparison`} onClick={onClose}>
          <X size={14} aria-hidden />
        </ActionIcon>
      </header>
      <div className={styles.scroll}>
        <table className={styles.compare}>
          <thead>
            <tr>
              <td />
              {rows.map(({ id, name }) => (
                <th key={id} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {facts.map(({ title, of, best }) => {
              const values = rows.map((row) => best?.(row) ?? Infinity);
              const least = Math.min(...values);
              return (
                <tr key={title}>
                  <th scope="row">{title}</th>
                  {rows.map((row, index) => {
                    const wins =
                      best !== undefined && values[index] === least && values.some((value) => value !== least);
                    return <td key={row.id}>{wins ? <b>{t`${of(row)} (best)`}</b> : of(row)}</td>;
                  })}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
