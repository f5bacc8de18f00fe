/** The charts of each GPU, with the values under the pointer, and who used it. */
import { useMemo, useState } from 'react';
import type { GpuHistory, GpuPoint } from '#contract/local/gpuHistory.ts';
import { ChartGrid } from '../../../ui/chart/ChartGrid.tsx';
import { periodNames } from '../../../ui/chart/period.ts';
import { chartsOf, isMeasured, userWords } from './charts.ts';
import styles from './history.module.css';
import { t } from '../../../language/text.ts';

export default function GpuCharts({ histories }: { histories: readonly GpuHistory[] }) {
  const [pointed, setPointed] = useState<number | null>(null);
  return histories.map((history) => (
    <Gpu key={history.uuid} history={history} pointed={pointed} onPoint={setPointed} />
  ));
}

interface GpuProps {
  history: GpuHistory;
  /** The place of the point under the pointer, in the charts of all GPUs. */
  pointed: number | null;
  onPoint: (index: number | null) => void;
}

function Gpu({ history, pointed, onPoint }: GpuProps) {
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
          <Users users={point?.users ?? history.users} />
        </>
      )}
    </section>
  );
}

/** Own workers and Pods apart from other programs: of the point under the pointer, else of the period. */
function Users({ users }: { users: readonly (GpuPoint['users'][number] & { ms?: number })[] }) {
  const words = (list: typeof users): string => (list.length === 0 ? t`nobody` : list.map(userWords).join(', '));
  return (
    <dl className={styles.users}>
      <dt>{t`Used by Hangar`}</dt>
      <dd>{words(users.filter(({ kind }) => kind !== 'program'))}</dd>
      <dt>{t`Other programs`}</dt>
      <dd>{words(users.filter(({ kind }) => kind === 'program'))}</dd>
    </dl>
  );
}
