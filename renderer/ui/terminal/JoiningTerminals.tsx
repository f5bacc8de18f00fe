/** Shown until the sessions of the account are loaded, and after a failure. */
import { Skeleton } from '@mantine/core';
import { LoadError } from '../domain/LoadError.tsx';
import styles from './terminal.module.css';
import { t } from '../../language/text.ts';

export function JoiningTerminals({ problem, retry }: { problem: string | null; retry: () => void }) {
  if (problem !== null) {
    return <LoadError capability="pods" title={t`The terminals could not be read`} problem={problem} retry={retry} />;
  }
  return (
    <div className={styles.loading} role="group" aria-label={t`Loading`} aria-busy="true">
      <Skeleton h={12} w="40%" radius={4} />
      <Skeleton h={12} w="25%" radius={4} />
    </div>
  );
}
