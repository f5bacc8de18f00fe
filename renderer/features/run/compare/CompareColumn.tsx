/** One column of a comparison: its endpoint, the state of its job and what the job puts out. */
import { useEffect, useEffectEvent } from 'react';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { ExternalLink, Square, X } from 'lucide-react';
import { useJobWatch } from '../../../client/jobs/jobWatch.ts';
import { navigate } from '../../../state/route.ts';
import { JobSummary } from '../../../ui/job/JobSummary.tsx';
import { OutputView } from '../../../ui/job/OutputView.tsx';
import { RateBar } from '../../../ui/job/stream/RateBar.tsx';
import { isOver } from '../../../ui/job/timeline.ts';
import { Card } from '../../../ui/primitives/Card.tsx';
import { Empty, Notice } from '../../../ui/primitives/Notice.tsx';
import styles from './compare.module.css';
import type { Column } from './comparison.ts';
import { t } from '../../../language/text.ts';

interface CompareColumnProps {
  column: Column;
  /** "This computer", "work". */
  accountName: string;
  /** What one job there costs about; null if that is not known. */
  price: string | null;
  onRemove: () => void;
  onStop: (entryId: string) => void;
  /** Called with whether a job of the column goes on. */
  onRunning: (entryId: string, isRunning: boolean) => void;
}

export function CompareColumn({ column, accountName, price, onRemove, onStop, onRunning }: CompareColumnProps) {
  const { entryId, endpointName, problem } = column;
  const job = useJobWatch(entryId);
  const entry = job?.entry ?? null;
  const running = entry !== null && !isOver(entry);
  const report = useEffectEvent(onRunning);
  useEffect(() => {
    if (entryId !== null) report(entryId, running);
    // A removed column no longer holds up the next run.
    return () => (entryId === null ? undefined : report(entryId, false));
  }, [running, entryId]);
  return (
    <Card grow aria-label={t`${endpointName} on ${accountName}`}>
      <header className={styles.columnHead}>
        <strong>{endpointName}</strong>
        <span className={styles.account}>{accountName}</span>
        {price !== null && <span className={styles.price}>{price}</span>}
        <span className={styles.columnActions}>
          {entry !== null && (
            <Tooltip label={t`Show the job`}>
              <ActionIcon
                aria-label={t`Show the job of ${endpointName}`}
                size={24}
                onClick={() => navigate({ page: 'jobs', entryId: entry.entryId })}
              >
                <ExternalLink size={13} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
          <Tooltip label={t`Remove the column`}>
            <ActionIcon aria-label={t`Remove the column ${endpointName}`} size={24} onClick={onRemove}>
              <X size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </span>
      </header>
      {problem !== null && (
        <Notice tone="bad" title={t`Not sent`}>
          {problem}
        </Notice>
      )}
      {entry === null ? (
        problem === null && (
          <Empty title={job === null ? t`Not run yet` : job.missing === null ? t`Sending` : t`This job is not here`}>
            {job === null ? t`Its output appears here next to the others.` : (job.missing ?? undefined)}
          </Empty>
        )
      ) : (
        <>
          <JobSummary
            entry={entry}
            actions={
              running && (
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<Square size={10} fill="currentColor" aria-hidden />}
                  onClick={() => onStop(entry.entryId)}
                >{t`Stop`}</Button>
              )
            }
          />
          <div className={styles.output}>
            <OutputView
              key={entry.entryId}
              label={t`Output of ${endpointName} on ${accountName}`}
              entry={entry}
              chunks={job?.chunks ?? []}
              output={job?.output ?? null}
              pendingOutput={job?.pendingOutput ?? null}
            />
          </div>
          <RateBar chunks={job?.chunks ?? []} over={isOver(entry)} />
        </>
      )}
    </Card>
  );
}
