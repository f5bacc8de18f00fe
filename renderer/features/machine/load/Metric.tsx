/** One measured quantity: its name, its current value, and its last minutes. */
import { Sparkline } from './Sparkline.tsx';
import styles from './load.module.css';
import { useTrack } from './series.ts';
import { t } from '../../../language/text.ts';

interface MetricProps {
  accountId: string;
  /** The owner of the quantity, for screen readers. */
  of: string;
  name: string;
  track: string;
  /** Null if it is not measured. */
  value: number | null;
  /** The top of the chart; null if there is no maximum. */
  full: number | null;
  format: (value: number) => string;
  /** The text after the name: "of 24.0 GB". */
  rest?: string;
}

export function Metric({ accountId, of, name, track: trackName, value, full, format, rest }: MetricProps) {
  const track = useTrack(accountId, trackName);
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
      <Sparkline what={t`${name} of ${of}`} track={track} full={full} format={format} />
    </div>
  );
}
