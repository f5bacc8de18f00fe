/** The charts of one device of a computer over the chosen period. */
import type { LiveView } from '../../../client/transport/live.ts';
import { ChartGrid, type GridChart } from '../../../ui/chart/ChartGrid.tsx';
import { ChartsSkeleton } from '../../../ui/chart/ChartsSkeleton.tsx';
import { periodNames } from '../../../ui/chart/period.ts';
import { ErrorBoundary } from '../../../ui/primitives/ErrorBoundary.tsx';
import styles from './history.module.css';
import type { Histories } from './useHistories.ts';
import { t } from '../../../language/text.ts';

/** The point under the pointer is the same one in the charts of all devices. */
export interface Pointing {
  pointed: number | null;
  onPoint: (index: number | null) => void;
}

interface DeviceHistoryProps extends Pointing, Pick<Histories, 'period'> {
  /** The name of the device in sentences. */
  name: string;
  view: LiveView<unknown>;
  /** Absent for a device that is not in the history yet. */
  history: { readonly points: readonly { readonly at: string }[]; readonly stepMs: number } | undefined;
  charts: readonly GridChart[];
  /** How many charts it will probably have. */
  expected: number;
  /** What is said where there is no measurement; the default names the period. */
  unmeasured?: string;
}

/** Nothing where the history could not be read: its card says so once for all devices. */
export function DeviceHistory({ name, view, history, charts, expected, unmeasured, ...rest }: DeviceHistoryProps) {
  const { period, pointed, onPoint } = rest;
  if (view.now === undefined && view.problem !== null) return null;
  return (
    <section className={styles.history} aria-label={t`History of ${name}`}>
      {view.now === undefined ? (
        <ChartsSkeleton names={Array.from({ length: expected }, (_, place) => `${place}`)} />
      ) : history === undefined || charts.length === 0 ? (
        <p className={styles.nothing}>{unmeasured ?? t`Nothing was measured in ${periodNames[period]}.`}</p>
      ) : (
        <ErrorBoundary what={t`The charts`} of={period}>
          <ChartGrid
            charts={charts}
            name={name}
            period={period}
            at={history.points.map(({ at }) => Date.parse(at))}
            stepMs={history.stepMs}
            group="machine"
            pointed={pointed}
            onPoint={onPoint}
          />
        </ErrorBoundary>
      )}
    </section>
  );
}
