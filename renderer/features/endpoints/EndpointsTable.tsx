/** The list of endpoints with their numbers as they are now. */
import type { ReactNode } from 'react';
import type { EndpointRow, EndpointsNow } from '#contract/app/endpointReadModels.ts';
import { formatCount, formatSetting } from '../../ui/text/format.ts';
import { DataGrid, GridSkeleton } from '../../ui/primitives/DataGrid.tsx';
import { runtimeWords } from '../../ui/text/loopLabels.ts';
import { EndpointChip } from './EndpointChip.tsx';
import { shortSource, stateOf, type StateOfEndpoint } from './endpointState.ts';
import styles from './table.module.css';
import { WorkerCounts } from './workers/WorkerCounts.tsx';

interface Column {
  title: string;
  cell: (row: EndpointRow, state: StateOfEndpoint) => ReactNode;
}

/** One that balances load has no jobs. */
const jobs = (row: EndpointRow, of: 'inQueue' | 'inProgress' | 'completed' | 'failed'): string =>
  row.health && row.type === 'QB' ? formatCount(row.health.jobs[of]) : '–';

const columns: readonly Column[] = [
  {
    title: 'Name',
    cell: (row) => (
      <>
        <b title={row.name}>{row.name}</b>
        <em title={row.imageName ?? undefined}>{sourceWords(row)}</em>
      </>
    ),
  },
  {
    title: 'State',
    cell: (_, { state, why }) => <EndpointChip state={state} why={why} />,
  },
  { title: 'Workers', cell: (row) => <WorkerCounts workers={row.health?.workers} /> },
  { title: 'Queue', cell: (row) => jobs(row, 'inQueue') },
  { title: 'Running', cell: (row) => jobs(row, 'inProgress') },
  { title: 'Done', cell: (row) => jobs(row, 'completed') },
  { title: 'Failed', cell: (row) => jobs(row, 'failed') },
  { title: 'Max', cell: (row) => formatCount(row.workersMax) },
  { title: 'Idle', cell: (row) => formatSetting(row.idleTimeout * 1000) },
];

function sourceWords(row: EndpointRow): string {
  const type = row.type === 'LB' ? 'HTTP, ' : '';
  const runtime = row.readiness ? `${runtimeWords[row.readiness.runtime]}, ` : '';
  const source = shortSource(row.imageName);
  return `${type}${runtime}${source}`;
}

interface EndpointsTableProps {
  now: EndpointsNow;
  stale: boolean;
  openId: string | null;
  onOpen: (endpointId: string) => void;
  onClose: () => void;
}

export function EndpointsTable({ now: { rows, pause }, ...rest }: EndpointsTableProps) {
  return (
    <DataGrid
      label="Endpoints"
      place="endpoint"
      columns={columns.map(({ title, cell }) => ({
        title,
        cell: (row: EndpointRow) => cell(row, stateOf(row, pause)),
      }))}
      rows={rows}
      idOf={({ id }) => id}
      columnsClass={styles.columns}
      {...rest}
    />
  );
}

const SKELETON_WIDTHS = ['70%', '64px', '70%', '24px', '24px', '30px', '24px', '18px', '28px'];

export const TableSkeleton = () => <GridSkeleton columnsClass={styles.columns} widths={SKELETON_WIDTHS} />;
