/** Stands in a tab of a job while its lines are read. */
import { Skeleton } from '@mantine/core';
import styles from '../serviceTabs.module.css';
import { t } from '../../../language/text.ts';

const WIDTHS = ['70%', '58%', '46%', '34%'];

export const TabSkeleton = () => (
  <div className={styles.skeleton} aria-busy="true" aria-label={t`Loading`} role="group">
    {WIDTHS.map((width) => (
      <Skeleton key={width} h={10} w={width} radius={4} />
    ))}
  </div>
);
