/** Says that a long output is still read, or why it could not be. */
import { Button, Loader } from '@mantine/core';
import type { PendingOutput } from '../../client/jobs/longOutput.ts';
import { Notice } from '../primitives/Notice.tsx';
import { formatBytes } from '../text/format.ts';
import styles from './job.module.css';
import { t } from '../../language/text.ts';

export function ReadingOutput({ bytes, problem, retry }: PendingOutput) {
  if (problem !== null) {
    return (
      <Notice
        tone="bad"
        title={t`The output could not be read`}
        action={<Button size="xs" variant="default" onClick={retry}>{t`Try again`}</Button>}
      >
        {problem}
      </Notice>
    );
  }
  return (
    <p className={styles.readingLine} role="status">
      <Loader size={12} aria-hidden />
      {t`Reading ${formatBytes(bytes)} of output`}
    </p>
  );
}
