/** The charts of each GPU, with the values under the pointer, and who used it. */
import { Fragment, useMemo, useState } from 'react';
import type { GpuHistory, GpuPoint } from '#contract/local/gpuHistory.ts';
import { ChartGrid } from '../../../ui/chart/ChartGrid.tsx';
import { periodNames } from '../../../ui/chart/period.ts';
import { RouteLink } from '../../../ui/primitives/RouteLink.tsx';
import { chartsOf, isMeasured, measuredFacts } from './charts.ts';
import styles from './history.module.css';
import { t } from '../../../language/text.ts';

interface GpuChartsProps {
  accountId: string;
  histories: readonly GpuHistory[];
}

export default function GpuCharts({ accountId, histories }: GpuChartsProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  return histories.map((history) => (
    <Gpu key={history.uuid} accountId={accountId} history={history} pointed={pointed} onPoint={setPointed} />
  ));
}

interface GpuProps {
  accountId: string;
  history: GpuHistory;
  /** The place of the point under the pointer, in the charts of all GPUs. */
  pointed: number | null;
  onPoint: (index: number | null) => void;
}

function Gpu({ accountId, history, pointed, onPoint }: GpuProps) {
  const { typeId, index, points, stepMs, period } = history;
  const charts = useMemo(() => chartsOf(history), [history]);
  const at = useMemo(() => points.map((point) => Date.parse(point.at)), [points]);
  const point = pointed === null ? undefined : points[pointed];
  const name = t`${typeId}, GPU ${index}`;
  return (
    <section className={styles.gpu} aria-label={t`History of ${name}`}>
      <h3>
        {typeId} <span>{t`GPU ${index}`}</span>
      </h3>
      {!isMeasured(history) ? (
        <p className={styles.nothing}>{t`Nothing was measured in ${periodNames[period]}.`}</p>
      ) : (
        <>
          <ChartGrid
            charts={charts}
            name={name}
            period={period}
            at={at}
            stepMs={stepMs}
            group="gpus"
            pointed={pointed}
            onPoint={onPoint}
          />
          <Users accountId={accountId} users={point?.users ?? history.users} />
        </>
      )}
    </section>
  );
}

type User = GpuPoint['users'][number] & { ms?: number };

interface UsersProps {
  accountId: string;
  users: readonly User[];
}

/** Own workers and Pods apart from other programs: of the point under the pointer, else of the period. */
function Users({ accountId, users }: UsersProps) {
  return (
    <dl className={styles.users}>
      <dt>{t`Used by Hangar`}</dt>
      <dd>
        <UserList accountId={accountId} users={users.filter(({ kind }) => kind !== 'program')} />
      </dd>
      <dt>{t`Other programs`}</dt>
      <dd>
        <UserList accountId={accountId} users={users.filter(({ kind }) => kind === 'program')} />
      </dd>
    </dl>
  );
}

function UserList({ accountId, users }: UsersProps) {
  if (users.length === 0) return t`nobody`;
  return users.map((user, place) => (
    <Fragment key={`${user.kind} ${user.id}`}>
      {place > 0 && ', '}
      <UserName accountId={accountId} user={user} />
      {measuredFacts(user)}
    </Fragment>
  ));
}

/** A deleted endpoint or Pod keeps its name in the history; its page says that it is gone. */
function UserName({ accountId, user: { kind, id, name } }: { accountId: string; user: User }) {
  if (kind === 'program') return name;
  return (
    <RouteLink
      accountId={accountId}
      to={
        kind === 'pod'
          ? { page: 'pods', podId: id, tab: 'overview' }
          : { page: 'endpoints', endpointId: id, tab: 'overview' }
      }
    >
      {kind === 'pod' ? t`Pod ${name}` : name}
    </RouteLink>
  );
}
