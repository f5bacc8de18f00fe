/** One measured quantity: its name, its value now, and its last minutes. */
import { Sparkline } from './Sparkline.tsx';
import styles from './load.module.css';
import { useTrack } from './series.ts';

interface MetricProps {
  accountId: string;
  /** Whose quantity it is, for those who do not see the picture. */
  of: string;
  name: string;
  track: string;
  /** Null where it is not measured. */
  value: number | null;
  /** The top of the picture; null where there is no such thing. */
  full: number | null;
  format: (value: number) => string;
  /** After the name: "of 24.0 GB". */
  rest?: string;
}

export function Metric({ accountId, of, name, track: trackName, value, full, format, rest }: MetricProps) {
  const track = useTrack(accountId, trackName);
  return (
    <div className={styles.metric}>
      <span className={styles.metricName}>
        {name} {rest}
      </span>
      <span className={styles.metricValue} title={value === null ? 'Its driver does not tell' : undefined}>
        <b>{value === null ? '–' : format(value)}</b>
      </span>
      <Sparkline what={`${name} of ${of}`} track={track} full={full} format={format} />
    </div>
  );
}
