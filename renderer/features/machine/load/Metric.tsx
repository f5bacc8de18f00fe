/** One measured quantity: its name, its current value, and its line over the period of the page while its row is closed. */
import { Sparkline } from './Sparkline.tsx';
import styles from './load.module.css';
import type { GpuPeriod } from '#contract/local/gpuHistory.ts';
import type { Track } from './series.ts';
import { t } from '../../../language/text.ts';

interface MetricProps {
  /** The owner of the quantity, for screen readers. */
  of: string;
  name: string;
  track: Track;
  /** Whether its row is open: its chart stands below then. */
  isOpen: boolean;
  period: GpuPeriod;
  /** Null if it is not measured. */
  value: number | null;
  /** The top of the chart; null if there is no maximum. */
  full: number | null;
  format: (value: number) => string;
  /** The text after the name: "of 24.0 GB". */
  rest?: string;
}

export function Metric({ of, name, track, period, isOpen, value, full, format, rest }: MetricProps) {
  return (
    <div className={styles.metric}>
      <div>
        <span className={styles.metricName}>
          {name} {rest}
        </span>
        <b className={styles.metricValue} title={value === null ? t`The driver does not report it` : undefined}>
          {value === null ? '–' : format(value)}
        </b>
      </div>
      {!isOpen && <Sparkline what={t`${name} of ${of}`} track={track} period={period} full={full} format={format} />}
    </div>
  );
}
