/** The log of the worker during one job, live and after its end. If no worker has begun the job, the reason. */
import { useMemo } from 'react';
import { isOver } from '#contract/app/jobs/times.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import type { LogLine } from '#contract/local/log.ts';
import { useLogFeed } from '../../client/logFeed.ts';
import { useAttemptMarks } from './attempts/useAttemptMarks.ts';
import { useHandlerCodes } from '../endpoint/useHandlerCodes.ts';
import { LogView } from '../log/LogView.tsx';
import { Empty } from '../primitives/Notice.tsx';
import { hadNoWorker, noIdWords } from './timeline.ts';
import { t } from '../../language/text.ts';

export default function JobLog({ entry }: { entry: LedgerEntry }) {
  if (entry.jobId === null) return <Empty title={t`No output`}>{noIdWords(entry)}.</Empty>;
  return <Lines key={entry.jobId} entry={entry} jobId={entry.jobId} />;
}

function Lines({ entry, jobId }: { entry: LedgerEntry; jobId: string }) {
  // A worker that cannot load its handler has no job.
  return hadNoWorker(entry) ? <LinesOfWait entry={entry} /> : <LinesOfJob entry={entry} jobId={jobId} />;
}

function LinesOfWait({ entry }: { entry: LedgerEntry }) {
  const feed = useLogFeed(entry.accountId, { endpointId: entry.endpointId });
  const codes = useHandlerCodes(entry.accountId);
  const { sentAt, finishedAt } = entry;
  const lines = useMemo(() => {
    const isOfWait = ({ at }: LogLine) => Date.parse(at) >= sentAt && Date.parse(at) <= (finishedAt ?? Infinity);
    return feed.lines?.filter(isOfWait) ?? null;
  }, [feed.lines, sentAt, finishedAt]);
  return (
    <LogView
      feed={{ ...feed, lines, readAll: null }}
      codes={codes}
      label={t`Log of the endpoint while this job waited`}
      emptyText={
        isOver(entry)
          ? t`No worker started this job, and the workers of its endpoint wrote nothing while it waited.`
          : t`No worker has started this job. What the workers of its endpoint write appears here live.`
      }
    />
  );
}

function LinesOfJob({ entry, jobId }: { entry: LedgerEntry; jobId: string }) {
  const feed = useLogFeed(entry.accountId, { endpointId: entry.endpointId, jobId });
  const codes = useHandlerCodes(entry.accountId);
  const marks = useAttemptMarks(entry, feed.lines);
  return (
    <LogView
      feed={feed}
      marks={marks}
      codes={codes}
      label={t`Log of this job`}
      emptyText={
        isOver(entry)
          ? t`The worker wrote nothing during this job, or its lines were removed.`
          : t`Lines appear here live.`
      }
    />
  );
}
