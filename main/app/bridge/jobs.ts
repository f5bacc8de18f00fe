/** The procedures about jobs: the sender executes, the ledger answers. */
import type { JobChanges, JobEvent } from '#contract/app/ledger.ts';
import type { BridgeContract } from '#contract/bridge/index.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import { exportEntries } from '../ledger/export/entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Keeper } from '../ledger/retention.ts';
import type { Clock } from '../platform/clock.ts';
import { doToAll } from '../services/jobs/batch.ts';
import type { ReadJobProgress } from '../services/jobs/jobProgress.ts';
import type { Sender } from '../services/jobs/jobService.ts';
import type { Feeds } from '../streams/feeds.ts';
import type { LiveChunks } from '../streams/liveChunks.ts';
import type { Streams } from '../streams/streams.ts';
import { outputPieces, watchJob, watchLedger } from './watch.ts';

export interface JobBinding {
  ledger: Ledger;
  keeper: Pick<Keeper, 'forget' | 'discard'>;
  sender: Sender;
  readProgress: ReadJobProgress;
  streams: Pick<Streams, 'attend'>;
  liveChunks: Pick<LiveChunks, 'attend'>;
  feeds: Pick<Feeds, 'attend'>;
  clock: Clock;
  lifeOf: (signal: AbortSignal | undefined) => AbortSignal;
  translated: <T>(events: AsyncGenerator<T, void, void>) => AsyncGenerator<T, void, void>;
}

/** The events of one job. The job counts as watched until the iterator ends. */
async function* watchedJob(
  { streams, liveChunks, ledger, clock }: Pick<JobBinding, 'streams' | 'liveChunks' | 'ledger' | 'clock'>,
  entryId: string,
  signal: AbortSignal,
  longestOutput: number | undefined,
): AsyncGenerator<JobEvent, void, void> {
  const leave = streams.attend(entryId);
  const leaveChunks = liveChunks.attend(entryId);
  try {
    yield* watchJob(ledger, entryId, clock, signal, longestOutput);
  } finally {
    leaveChunks();
    leave();
  }
}

/** The changes of the ledger. Jobs count as shown until the iterator ends. */
async function* shownChanges(
  { feeds, ledger, clock }: Pick<JobBinding, 'feeds' | 'ledger' | 'clock'>,
  signal: AbortSignal,
  endedSince = Infinity,
): AsyncGenerator<JobChanges, void, void> {
  const leave = feeds.attend();
  try {
    yield* watchLedger(ledger, clock, signal, endedSince);
  } finally {
    leave();
  }
}

/** Procedures with an `entryId` throw NOT_FOUND if the ledger does not have the entry. */
export function bindJobs(
  jobs: ImplementerInternalWithMiddlewares<BridgeContract['jobs'], object, object>,
  binding: JobBinding,
) {
  const { ledger, keeper, sender, readProgress, clock, lifeOf, translated } = binding;
  return {
    submit: jobs.submit.handler(({ input }) => sender.submit(input)),
    cancel: jobs.cancel.handler(({ input }) => sender.cancel(input.entryId)),
    retry: jobs.retry.handler(({ input }) => sender.retry(input.entryId)),
    cancelMany: jobs.cancelMany.handler(({ input, signal }) =>
      translated(doToAll(input.entryIds, (entryId) => sender.cancel(entryId), lifeOf(signal))),
    ),
    retryMany: jobs.retryMany.handler(({ input, signal }) =>
      translated(doToAll(input.entryIds, (entryId) => sender.retry(entryId), lifeOf(signal))),
    ),
    export: jobs.export.handler(({ input, signal }) => translated(exportEntries(ledger, input, lifeOf(signal)))),
    watch: jobs.watch.handler(({ input: { entryId, longestOutput }, signal }) => {
      ledger.entry(entryId);
      return translated(watchedJob(binding, entryId, lifeOf(signal), longestOutput));
    }),
    progress: jobs.progress.handler(({ input, signal }) => readProgress(input.entryId, lifeOf(signal))),
    output: jobs.output.handler(({ input: { entryId }, signal }) =>
      translated(outputPieces(ledger.output(entryId) ?? '', lifeOf(signal))),
    ),
    list: jobs.list.handler(({ input }) => ledger.list(input.filter, input.offset, input.limit)),
    get: jobs.get.handler(({ input }) => ledger.detail(input.entryId)),
    body: jobs.body.handler(({ input }) => ledger.body(input.entryId)),
    find: jobs.find.handler(({ input }) => ledger.findJob(input.jobId) ?? null),
    chunks: jobs.chunks.handler(({ input }) => ledger.chunks(input.entryId, input.from, input.limit)),
    tag: jobs.tag.handler(({ input: { entryIds, tags, change } }) => ({ changed: ledger.tag(entryIds, tags, change) })),
    tags: jobs.tags.handler(() => ledger.tags()),
    keyNames: jobs.keyNames.handler(() => ledger.keyNames()),
    counts: jobs.counts.handler(({ input: { since, ...filter } }) => ledger.counts(filter, since)),
    toAttend: jobs.toAttend.handler(({ input: { since, dismissed }, signal }) =>
      ledger.toAttend(since, dismissed, lifeOf(signal)),
    ),
    expiring: jobs.expiring.handler(({ input: { withinMs } }) => ledger.expiring(clock.now(), withinMs)),
    attempts: jobs.attempts.handler(({ input: { entryId } }) => {
      ledger.entry(entryId);
      return ledger.attempts(entryId);
    }),
    requests: jobs.requests.handler(({ input: { entryId } }) => {
      ledger.entry(entryId);
      return ledger.requests(entryId);
    }),
    webhooks: jobs.webhooks.handler(({ input: { entryId } }) => {
      ledger.entry(entryId);
      return ledger.webhooks(entryId);
    }),
    redeliver: jobs.redeliver.handler(async ({ input: { entryId, webhookId } }) => {
      await sender.redeliver(entryId, webhookId);
      return {};
    }),
    changes: jobs.changes.handler(({ input, signal }) =>
      translated(shownChanges(binding, lifeOf(signal), input?.endedSince)),
    ),
    forget: jobs.forget.handler(({ input }) => ({ removed: keeper.forget(input.entryIds) })),
    restore: jobs.restore.handler(({ input }) => ({ restored: ledger.restore(input.entryIds) })),
    discard: jobs.discard.handler(async ({ input }) => {
      await keeper.discard(input.entryIds);
      return {};
    }),
    removed: jobs.removed.handler(() => ({ entryIds: ledger.removed() })),
  };
}
