/** Stands for charts that are read. */
import styles from './chartGrid.module.css';
import { t } from '../../language/text.ts';

/** Has the size of the charts that come. `names`: one for each. */
export const ChartsSkeleton = ({ names }: { names: readonly string[] }) => (
  <div className={styles.charts} role="group" aria-label={t`Loading`} aria-busy="true">
    {names.map((name) => (
      <div key={name} className={styles.skeleton} />
    ))}
  </div>
);
