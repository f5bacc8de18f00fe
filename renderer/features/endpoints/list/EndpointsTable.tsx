/** The list of endpoints with their numbers as they are now. */
import type { ReactNode } from 'react';
import type { EndpointRow, EndpointsNow } from '#contract/app/endpointReadModels.ts';
import { knownRuntime } from '#contract/local/engine.ts';
import type { MetricSumsAnswer } from '#contract/local/metrics.ts';
import { useEndpointTotals } from '../../../client/endpointTotals.ts';
import { formatCount, formatSetting } from '../../../ui/text/format.ts';
import { DataGrid, GridSkeleton } from '../../../ui/primitives/DataGrid.tsx';
import { runtimeWords } from '../../../ui/text/loopLabels.ts';
import { EndpointChip } from '../EndpointChip.tsx';
import { shortSource, stateOf, type StateOfEndpoint } from '../../../ui/text/endpointState.ts';
import { MiddleCut } from '../../../ui/files/MiddleCut.tsx';
import { formatTime } from '../metrics/text.ts';
import styles from './table.module.css';
import { WorkerCounts } from '../workers/WorkerCounts.tsx';
import { t } from '../../../language/text.ts';

interface ShownState extends StateOfEndpoint {
  /** Whether it is the last known one. */
  stale: boolean;
}

interface Column {
  title: string;
  /** What the title means. */
  hint?: string;
  isState?: boolean;
  /** `total`: what happened in the last 24 hours; undefined if it is not known. */
  cell: (row: EndpointRow, state: ShownState, total: MetricSumsAnswer | undefined) => ReactNode;
}

/** One that balances load has no jobs. */
function jobs(row: EndpointRow, of: 'inQueue' | 'inProgress' | 'completed' | 'failed'): ReactNode {
  if (!row.health || row.type !== 'QB') return <span className={styles.nothing}>–</span>;
  const count = row.health.jobs[of];
  return count === 0 ? <span className={styles.nothing}>0</span> : formatCount(count);
}

const runTimeWords = {
  p50: t`Half of the jobs of the last 24 hours took about this long or less`,
  p95: t`95 % of the jobs of the last 24 hours took about this long or less`,
};

const runTime = (total: MetricSumsAnswer | undefined, of: 'p50' | 'p95'): ReactNode =>
  total?.execution ? (
    <span title={runTimeWords[of]}>{formatTime(total.execution[of])}</span>
  ) : (
    <span className={styles.nothing}>–</span>
  );

const columns: readonly Column[] = [
  {
    title: t`Name`,
    cell: (row) => (
      <span className={styles.name}>
        <b>
          <MiddleCut text={row.name} />
        </b>
        <em title={row.imageName ?? undefined}>{sourceWords(row)}</em>
      </span>
    ),
  },
  {
    title: t`State`,
    isState: true,
    cell: (_, state) => <EndpointChip {...state} />,
  },
  { title: t`Workers`, cell: (row) => <WorkerCounts workers={row.health?.workers} /> },
  { title: t`Queue`, cell: (row) => jobs(row, 'inQueue') },
  { title: t`Running`, cell: (row) => jobs(row, 'inProgress') },
  { title: t`Done`, cell: (row) => jobs(row, 'completed') },
  { title: t`Failed`, cell: (row) => jobs(row, 'failed') },
  { title: 'p50', hint: runTimeWords.p50, cell: (_row, _state, total) => runTime(total, 'p50') },
  { title: 'p95', hint: runTimeWords.p95, cell: (_row, _state, total) => runTime(total, 'p95') },
  { title: t`Max`, hint: t`The most workers that run at the same time`, cell: (row) => formatCount(row.workersMax) },
  {
    title: t`Idle`,
    hint: t`How long a worker without jobs waits before it stops`,
    cell: (row) => formatSetting(row.idleTimeout * 1000),
  },
];

function sourceWords(row: EndpointRow): string {
  const type = row.type === 'LB' ? 'HTTP, ' : '';
  const known = row.readiness && knownRuntime(row.readiness);
  const runtime = known && runtimeWords[known];
  const source = shortSource(row.imageName);
  // A folder is mostly named as its endpoint, which stands before it.
  return (
    type + [runtime, source === row.name && runtime !== null ? null : source].filter((word) => word !== null).join(', ')
  );
}

export interface EndpointsTableProps {
  accountId: string;
  now: EndpointsNow;
  stale: boolean;
  openId: string | null;
  onOpen: (endpointId: string) => void;
  onClose: () => void;
  /** Opens the menu of an endpoint at a place of the window. */
  onMenu: (row: EndpointRow, at: { x: number; y: number }) => void;
}

export function EndpointsTable({ accountId, now: { rows, pause }, stale, ...rest }: EndpointsTableProps) {
  const { totals } = useEndpointTotals(accountId);
  return (
    <DataGrid
      label={t`Endpoints`}
      place="endpoint"
      columns={columns.map(({ title, hint, isState = false, cell }) => ({
        title,
        hint,
        isState,
        cell: (row: EndpointRow) => cell(row, { ...stateOf(row, pause), stale }, totals.get(row.id)),
      }))}
      rows={rows}
      stale={stale}
      idOf={({ id }) => id}
      columnsClass={styles.columns}
      {...rest}
    />
  );
}

const SKELETON_WIDTHS = ['70%', '64px', '70%', '24px', '24px', '30px', '24px', '40px', '40px', '18px', '28px'];

export const TableSkeleton = () => <GridSkeleton columnsClass={styles.columns} widths={SKELETON_WIDTHS} />;
