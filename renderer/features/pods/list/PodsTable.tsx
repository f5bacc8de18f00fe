/** The list of Pods with their current load. */
import { useMemo } from 'react';
import { formatDuration, formatPercent } from '../../../ui/text/format.ts';
import { DataGrid, GridSkeleton, type GridColumn } from '../../../ui/primitives/DataGrid.tsx';
import { formatMoney } from '../../../ui/text/money.ts';
import { PortsCell } from '../actions/firstPage.tsx';
import { PodChip } from '../PodChip.tsx';
import { hardwareOf, loadOf, restartWords, stateOf, type ShownPod } from '../podState.ts';
import styles from './table.module.css';
import { t } from '../../../language/text.ts';

const percent = (value: number | null): string => (value === null ? '–' : formatPercent(value));

const columnsOf = (accountId: string): readonly GridColumn<ShownPod>[] => [
  {
    title: t`Name`,
    cell: (row) => {
      const restarts = restartWords(row);
      return (
        <>
          <b title={row.pod.name}>{row.pod.name}</b>
          <em title={restarts?.long ?? row.pod.imageName} data-restarts={restarts !== null || undefined}>
            {restarts?.short ?? row.pod.imageName}
          </em>
        </>
      );
    },
  },
  { title: t`State`, cell: (row) => <PodChip {...stateOf(row)} /> },
  { title: t`GPU`, cell: hardwareOf },
  { title: '$/h', cell: ({ pod }) => (pod.desiredStatus === 'RUNNING' ? formatMoney(pod.costPerHr) : '–') },
  { title: t`Up`, cell: ({ facts }) => (facts?.runtime ? formatDuration(facts.runtime.uptimeInSeconds * 1000) : '–') },
  { title: t`GPU %`, cell: (row) => percent(loadOf(row).gpu) },
  { title: t`Mem %`, cell: (row) => percent(loadOf(row).gpuMemory ?? loadOf(row).memory) },
  { title: t`Ports`, cell: (row) => <PortsCell accountId={accountId} row={row} /> },
];

interface PodsTableProps {
  accountId: string;
  rows: readonly ShownPod[];
  stale: boolean;
  openId: string | null;
  onOpen: (podId: string) => void;
  onClose: () => void;
}

export function PodsTable({ accountId, ...rest }: PodsTableProps) {
  const columns = useMemo(() => columnsOf(accountId), [accountId]);
  return (
    <DataGrid
      label={t`Pods`}
      place="pod"
      columns={columns}
      idOf={({ pod }) => pod.id}
      columnsClass={styles.columns}
      {...rest}
    />
  );
}

const SKELETON_WIDTHS = ['70%', '80px', '70%', '36px', '40px', '28px', '28px', '80%'];

export const TableSkeleton = () => <GridSkeleton columnsClass={styles.columns} widths={SKELETON_WIDTHS} />;
