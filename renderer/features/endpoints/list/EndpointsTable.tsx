/** The list of endpoints with their numbers as they are now. */
import type { ReactNode } from 'react';
import type { EndpointRow, EndpointsNow } from '#contract/app/endpointReadModels.ts';
import { knownRuntime } from '#contract/local/engine.ts';
import type { MetricSumsAnswer } from '#contract/local/metrics.ts';
import { endedJobsOf, useEndpointTotals, type EndedJobs, type EndpointTotals } from '../../../client/endpointTotals.ts';
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
  /** `known`: what happened in the last 24 hours. */
  cell: (row: EndpointRow, state: ShownState, known: EndpointTotals) => ReactNode;
}

/** One that balances load has no jobs. */
function jobs(row: EndpointRow, of: 'inQueue' | 'inProgress'): ReactNode {
  if (!row.health || row.type !== 'QB') return <span className={styles.nothing}>–</span>;
  return countText(row.health.jobs[of]);
}

const countText = (count: number | undefined): ReactNode => {
  if (count === undefined) return <span className={styles.nothing}>–</span>;
  return count === 0 ? <span className={styles.nothing}>0</span> : formatCount(count);
};

const ended = (row: EndpointRow, known: EndpointTotals, of: keyof EndedJobs): ReactNode =>
  countText(row.type === 'QB' ? endedJobsOf(row, known)[of] : undefined);

const asReported = t`As the account reports it, which does not say over which time`;

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

/** `isMissing`: whether the account has no numbers of the last 24 hours. */
const columnsOf = (isMissing: boolean): readonly Column[] => [
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
  {
    title: isMissing ? t`Done` : t`Done, 24 h`,
    hint: isMissing ? asReported : t`Jobs that were done in the last 24 hours`,
    cell: (row, _state, known) => ended(row, known, 'done'),
  },
  {
    title: isMissing ? t`Failed` : t`Failed, 24 h`,
    hint: isMissing ? asReported : t`Jobs that failed in the last 24 hours`,
    cell: (row, _state, known) => ended(row, known, 'failed'),
  },
  { title: 'p50', hint: runTimeWords.p50, cell: ({ id }, _state, { totals }) => runTime(totals.get(id), 'p50') },
  { title: 'p95', hint: runTimeWords.p95, cell: ({ id }, _state, { totals }) => runTime(totals.get(id), 'p95') },
  {
    title: t`Maximum workers`,
    hint: t`The most workers that run at the same time`,
    cell: (row) => formatCount(row.workersMax),
  },
  {
    title: t`Idle timeout`,
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
  const known = useEndpointTotals(accountId);
  return (
    <DataGrid
      label={t`Endpoints`}
      place="endpoint"
      columns={columnsOf(known.isMissing).map(({ title, hint, isState = false, cell }) => ({
        title,
        hint,
        isState,
        cell: (row: EndpointRow) => cell(row, { ...stateOf(row, pause), stale }, known),
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
