/** Stands for a log that is read. */
import { TextInput } from '@mantine/core';
import styles from './log.module.css';
import { t } from '../../language/text.ts';

const WIDTHS = ['62%', '48%', '71%', '35%', '56%', '66%', '41%', '59%'];

/** In place of the lines. */
export const LogSkeleton = () => (
  <div className={styles.skeleton} aria-busy="true" role="group" aria-label={t`Loading the log`}>
    {WIDTHS.map((width) => (
      <i key={width} style={{ width }} />
    ))}
  </div>
);

/** In place of the whole view, while its code is loaded. Its fields have the size of those that come. */
export const LogViewSkeleton = () => (
  <div className={styles.log}>
    <div className={styles.tools} aria-hidden inert>
      <TextInput className={styles.find} />
      <TextInput className={styles.level} />
      <TextInput className={styles.worker} />
    </div>
    <LogSkeleton />
  </div>
);
