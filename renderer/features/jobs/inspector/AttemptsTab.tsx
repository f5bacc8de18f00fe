/** The attempts of a job, the newest first: how each ended, and who started the next one. */
import { useQuery } from '@tanstack/react-query';
import type { AttemptEnd, JobAttempt, LedgerEntry } from '#contract/app/ledger.ts';
import { attemptsOf } from '../../../client/jobs/attempts.ts';
import { errorText } from '../../../client/transport/orpc.ts';
import { StateChip } from '../../../ui/domain/StateChip.tsx';
import { FrameText } from '../../../ui/endpoint/FrameText.tsx';
import type { HandlerCode } from '../../../ui/endpoint/handlerCode.ts';
import { useHandlerCodes } from '../../../ui/endpoint/useHandlerCodes.ts';
import { readError } from '#contract/api/readError.ts';
import { isOver, timesOf } from '#contract/app/jobs/times.ts';
import { Empty, Notice } from '../../../ui/primitives/Notice.tsx';
import { PlainTable } from '../../../ui/primitives/PlainTable.tsx';
import { withFieldLabels } from '../../../ui/text/fieldLabels.ts';
import { formatDuration, formatMoment, formatWhen } from '../../../ui/text/format.ts';
import { TabSkeleton } from './TabSkeleton.tsx';
import styles from '../serviceTabs.module.css';
import { t } from '../../../language/text.ts';

const endWords: Record<AttemptEnd, string> = {
  lost: t`Its worker was lost, and the job was queued again.`,
  stopped: t`Hangar was stopped, and the job was queued again.`,
  killed: t`Hangar was killed or crashed, and the job was queued again.`,
  retried: t`A program retried the job through the API.`,
  'retried-here': t`You retried the job.`,
};

/** The attempt that the entry shows, as the earlier ones are shown. */
const currentOf = (entry: LedgerEntry, number: number): Row => ({
  number,
  endedBy: null,
  status: entry.status,
  queuedAt: entry.queuedAt ?? entry.sentAt,
  startedAt: entry.startedAt,
  finishedAt: entry.finishedAt,
  workerStartedAt: entry.workerStartedAt,
  delayTime: entry.delayTime,
  executionTime: entry.executionTime,
  workerId: entry.workerId,
  error: entry.error,
});

type Row = Omit<JobAttempt, 'endedBy' | 'finishedAt'> & {
  endedBy: AttemptEnd | null;
  finishedAt: number | null;
  workerStartedAt: number | null;
};

function AttemptError({ error, code }: { error: string; code: HandlerCode | null }) {
  const { headline, detail } = readError(error);
  return (
    <>
      <p>{withFieldLabels(headline)}</p>
      {detail !== null && (
        <details className={styles.why}>
          <summary>{t`Details`}</summary>
          <pre tabIndex={0}>
            <FrameText text={detail} code={code} />
          </pre>
        </details>
      )}
    </>
  );
}

export function AttemptsTab({ entry }: { entry: LedgerEntry }) {
  const code = useHandlerCodes(entry.accountId)(entry.endpointId);
  const query = useQuery(attemptsOf(entry));
  if (query.isError) {
    return (
      <Notice tone="bad" title={t`The attempts cannot be read.`}>
        {errorText(query.error)}
      </Notice>
    );
  }
  if (!query.data) return <TabSkeleton />;
  if (query.data.length === 0) {
    return <Empty title={t`Not recorded`}>{t`The earlier attempts ended before Hangar could record them.`}</Empty>;
  }
  const earlier = query.data;
  const rows: Row[] = [
    currentOf(entry, earlier.length + 1),
    ...earlier.toReversed().map((attempt) => ({ ...attempt, workerStartedAt: null })),
  ];
  return (
    <div className={styles.scroll} role="region" aria-label={t`Attempts`} tabIndex={0}>
      <PlainTable
        className={styles.table}
        rows={rows}
        keyOf={({ number }) => number}
        columns={[
          {
            title: t`Attempt`,
            cell: ({ number, endedBy, error, queuedAt, workerId }) => (
              <>
                <b>{number}</b> · <span title={formatMoment(queuedAt)}>{formatWhen(queuedAt)}</span>
                {workerId !== null && workerId !== '' && (
                  <p>
                    {t`worker`} <code>{workerId}</code>
                  </p>
                )}
                {error !== null && <AttemptError error={error} code={code} />}
                {endedBy !== null && <p>{endWords[endedBy]}</p>}
              </>
            ),
          },
          {
            title: t`State`,
            isState: true,
            cell: ({ status, endedBy }) => (
              // It has ended, whatever was known of it last.
              <StateChip status={status} isLastKnown={endedBy !== null && !isOver({ status })} />
            ),
          },
          {
            title: t`Ran`,
            // A phase that goes on is shown in the head of the job.
            cell: (row) => {
              const { ran } = timesOf({ ...row, sentAt: row.queuedAt }, null);
              return ran === null ? '–' : formatDuration(ran);
            },
          },
        ]}
      />
    </div>
  );
}
