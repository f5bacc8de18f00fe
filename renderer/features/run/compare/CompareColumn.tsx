/** One column of a comparison: its endpoint, the state of its job and what the job puts out. */
import { useEffect, useEffectEvent } from 'react';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { CopyPlus, ExternalLink, Square, X } from 'lucide-react';
import { isOver } from '#contract/app/jobs/times.ts';
import { useJobWatch } from '../../../client/jobs/jobWatch.ts';
import { navigate } from '../../../state/route.ts';
import { JobSummary } from '../../../ui/job/JobSummary.tsx';
import { OutputView } from '../../../ui/job/OutputView.tsx';
import { RateBar } from '../../../ui/job/stream/RateBar.tsx';
import { Card } from '../../../ui/primitives/Card.tsx';
import { Empty, Notice } from '../../../ui/primitives/Notice.tsx';
import styles from './compare.module.css';
import type { ProposedField } from '../form/AddField.tsx';
import { changeColumn, type Column } from './comparison.ts';
import { OwnFields } from './OwnFields.tsx';
import { t } from '../../../language/text.ts';

interface CompareColumnProps {
  column: Column;
  /** "words", "words (2)" for the second column of an endpoint. */
  title: string;
  /** "This computer", "work". */
  accountName: string;
  /** What one job there costs about; null if that is not known. */
  price: string | null;
  /** The fields that the shared input has. */
  proposed: readonly ProposedField[];
  /** Whether the fields of the column are open to be changed. */
  editing: boolean;
  onEditing: (editing: boolean) => void;
  /** Called with what is wrong with a field of the column, and with null once it is right. */
  onFieldProblem: (problem: string | null) => void;
  /** Adds another column with the same endpoint and fields; null where there is no room. */
  onDuplicate: (() => void) | null;
  onRemove: () => void;
  onStop: (entryId: string) => void;
  /** Called with whether a job of the column goes on. */
  onRunning: (entryId: string, isRunning: boolean) => void;
}

export function CompareColumn(props: CompareColumnProps) {
  const { column, title, accountName, price, onDuplicate, onRemove, onStop, onRunning } = props;
  const { entryId, problem } = column;
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
    <Card grow aria-label={t`${title} on ${accountName}`}>
      <header className={styles.columnHead}>
        <strong>{title}</strong>
        <span className={styles.account}>{accountName}</span>
        <span className={styles.columnActions}>
          {entry !== null && (
            <Tooltip label={t`Show the job`}>
              <ActionIcon
                aria-label={t`Show the job of ${title}`}
                size={24}
                onClick={() => navigate({ page: 'jobs', entryId: entry.entryId })}
              >
                <ExternalLink size={13} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
          {onDuplicate !== null && (
            <Tooltip label={t`Duplicate the column`}>
              <ActionIcon aria-label={t`Duplicate the column ${title}`} size={24} onClick={onDuplicate}>
                <CopyPlus size={13} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
          <Tooltip label={t`Remove the column`}>
            <ActionIcon aria-label={t`Remove the column ${title}`} size={24} onClick={onRemove}>
              <X size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </span>
      </header>
      <div className={styles.columnInput}>
        <OwnFields
          own={column.own}
          title={title}
          proposed={props.proposed}
          opened={props.editing}
          onOpened={props.onEditing}
          onProblem={props.onFieldProblem}
          onOwn={(own) => changeColumn(column.id, { own })}
        />
        {price !== null && <span className={styles.price}>{price}</span>}
      </div>
      {problem !== null && (
        <Notice tone="bad" title={t`Not sent`}>
          {problem}
        </Notice>
      )}
      {entry === null ? (
        problem === null && (
          <Empty title={job === null ? t`Not run yet` : job.missing === null ? t`Sending` : t`This job is not here`}>
            {job === null ? t`Its output appears here.` : (job.missing ?? undefined)}
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
              label={t`Output of ${title} on ${accountName}`}
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
