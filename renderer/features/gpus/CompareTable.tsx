/** Chosen GPU types side by side, in columns of one width. */
import type { ReactNode } from 'react';
import { ActionIcon } from '@mantine/core';
import { X } from 'lucide-react';
import { Card, CardHead } from '../../ui/primitives/Card.tsx';
import { formatChoice } from '../../ui/text/format.ts';
import { Amount, MemoryOf, Published, Rate } from './cells.tsx';
import type { GpuRow } from './gpuRows.ts';
import { DeployButton } from './DeployButton.tsx';
import styles from './gpus.module.css';
import { StockChip, stockOf } from './StockChip.tsx';
import { rich, t } from '../../language/text.ts';

interface Fact {
  title: string;
  of: (row: GpuRow) => ReactNode;
  /** The least wins; null: not known. Of a GPU that is not free, it is what it costs when some are. */
  best?: (row: GpuRow) => number | null;
}

const most = (value: number | null): number | null => (value === null ? null : -value);

const facts: readonly Fact[] = [
  { title: t`Memory`, of: ({ memoryInGb }) => <MemoryOf gb={memoryInGb} />, best: ({ memoryInGb }) => -memoryInGb },
  {
    title: t`Bandwidth, GB/s`,
    of: ({ spec, bandwidth }) => <Published spec={spec} value={bandwidth} unit="" />,
    best: ({ bandwidth }) => most(bandwidth),
  },
  {
    title: t`TFLOPS, FP16 tensor`,
    of: ({ spec, tflops }) => <Published spec={spec} value={tflops} unit="" />,
    best: ({ tflops }) => most(tflops),
  },
  {
    title: t`TFLOPS, FP32`,
    of: ({ spec }) => <Published spec={spec} value={spec?.fp32Tflops ?? null} unit="" />,
    best: ({ spec }) => most(spec?.fp32Tflops ?? null),
  },
  { title: t`Power`, of: ({ spec, watts }) => <Published spec={spec} value={watts} unit="W" /> },
  {
    title: t`Per hour`,
    of: (row) => <Amount row={row} amount={row.perHour} listPrice={row.listPerHour} />,
    best: ({ perHour, listPerHour }) => perHour ?? listPerHour,
  },
  {
    title: t`Per GPU and hour`,
    of: (row) => <Amount row={row} amount={row.perGpu} listPrice={row.listPrice} />,
    best: ({ perGpu, listPrice }) => perGpu ?? listPrice,
  },
  {
    title: t`Per GB and hour`,
    of: (row) => <Rate row={row} amount={row.perGb} listPrice={row.listPerGb} />,
    best: ({ perGb, listPerGb }) => perGb ?? listPerGb,
  },
  {
    title: t`Per TFLOPS and hour`,
    of: (row) =>
      row.tflops === null ? (
        <Published spec={row.spec} value={null} unit="" />
      ) : (
        <Rate row={row} amount={row.perTflop} listPrice={row.listPerTflop} />
      ),
    best: ({ perTflop, listPerTflop }) => perTflop ?? listPerTflop,
  },
  { title: t`Stock`, of: (row) => <StockChip {...stockOf(row)} /> },
  { title: t`GPUs per Pod`, of: ({ counts }) => formatChoice(counts) || t`none free` },
];

export function CompareTable({ rows, onClose }: { rows: readonly GpuRow[]; onClose: () => void }) {
  return (
    <Card aria-label={t`Comparison`} role="region">
      <CardHead title={t`Side by side`} isPlain>
        <ActionIcon aria-label={t`Close the comparison`} onClick={onClose}>
          <X size={14} aria-hidden />
        </ActionIcon>
      </CardHead>
      <div className={styles.scroll} tabIndex={0} role="group" aria-label={t`Side by side`}>
        <table className={styles.compare}>
          <thead>
            <tr>
              <td />
              {rows.map(({ id, name }) => (
                <th key={id} scope="col" title={id}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {facts.map((fact) => (
              <tr key={fact.title}>
                <th scope="row">{fact.title}</th>
                <Values fact={fact} rows={rows} />
              </tr>
            ))}
            <tr>
              <td />
              {rows.map((row) => (
                <td key={row.id} data-gpu={row.name}>
                  <DeployButton row={row} size="xs" variant="default" label={t`Deploy on ${row.name}, compared`} />
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Values({ fact: { of, best }, rows }: { fact: Fact; rows: readonly GpuRow[] }) {
  const values = rows.map((row) => best?.(row) ?? Infinity);
  const least = Math.min(...values);
  // Without another value there is nothing to be better than.
  const differ = values.some((value) => Number.isFinite(value) && value !== least);
  return rows.map((row, index) => (
    <td key={row.id} data-gpu={row.name}>
      {best !== undefined && differ && values[index] === least ? <b>{rich`(best) ${of(row)}`}</b> : of(row)}
    </td>
  ));
}
