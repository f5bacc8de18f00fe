/** Sends jobs and follows them to their end: rates, retries of unreachable accounts, readers, and their wake-ups. */
import type { Logger } from 'pino';
import type { AccountRepository } from './accounts/repository.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Keeper } from './ledger/retention.ts';
import type { Clock } from './platform/clock.ts';
import { watchClock } from './platform/clockJumps.ts';
import { askWhetherThere } from './services/accounts/capabilityProbe.ts';
import type { Directory } from './services/directory.ts';
import { createJobProgress, type ReadJobProgress } from './services/jobs/jobProgress.ts';
import { createSender, followAfterAccessChanges, type Sender } from './services/jobs/jobService.ts';
import { createBatchRunner, type BatchRunner } from './services/jobs/batchRunner.ts';
import { createComebacks } from './services/reconnector.ts';
import { createCircuitBreaker } from './streams/circuitBreaker.ts';
import { createBudget } from './streams/rateBudget.ts';
import { createLiveChunks, type LiveChunks } from './streams/liveChunks.ts';
import { hasDiskRoom } from './streams/diskRoom.ts';
import { createFeeds, type Feeds } from './streams/feeds.ts';
import { createStreams, type Streams } from './streams/streams.ts';
import { createWakeup } from './streams/wakeup.ts';

export interface JobTrackingOptions {
  directory: Directory;
  repository: AccountRepository;
  ledger: Ledger;
  keeper: Pick<Keeper, 'clockJumped' | 'grown'>;
  /** The folder of the ledger. */
  dataDir: string;
  clock: Clock;
  logger: Logger;
  /** Learns that this computer woke up, or that its clock jumped. */
  ssh: { resumed(): void };
  /** Ends the waits of the sender when the app stops. */
  stopping: AbortSignal;
}

export interface JobTracking {
  readonly streams: Streams;
  readonly liveChunks: Pick<LiveChunks, 'attend'>;
  readonly sender: Sender;
  readonly readProgress: ReadJobProgress;
  readonly batches: BatchRunner;
  /** The machine woke up: everything that waits tries again at once. */
  resumed(): void;
  readonly feeds: Pick<Feeds, 'start' | 'attend'>;
  /** Ends every reader. The ledger already has everything that they read. */
  stop(): Promise<void>;
}

export function createJobTracking(options: JobTrackingOptions): JobTracking {
  const { directory, repository, ledger, keeper, dataDir, ssh, clock, logger, stopping } = options;
  const wakeup = createWakeup();
  const budget = createBudget(clock, wakeup);
  const reach = createCircuitBreaker(clock, Math.random, wakeup);
  const comebacks = createComebacks({
    repository,
    reach,
    clock,
    logger,
    ask: ({ id, capabilities }) => askWhetherThere(directory.compute(id), capabilities),
  });
  const streams = createStreams({
    compute: (id) => directory.compute(id),
    journal: ledger,
    budget,
    reach,
    wakeup,
    clock,
    logger,
    random: Math.random,
  });
  const sender = createSender({ directory, ledger, streams, budget, clock, logger, stopping });
  const batches = createBatchRunner({
    ledger,
    sender,
    requireAccount: (accountId) => void directory.get(accountId),
    clock,
    logger,
    stopping,
  });
  const liveChunks = createLiveChunks({
    compute: (id) => directory.compute(id),
    journal: ledger,
    clock,
    random: Math.random,
    logger,
  });
  const feeds = createFeeds({
    accounts: directory,
    compute: (id) => directory.compute(id),
    journal: ledger,
    isSending: sender.isSending,
    chunksRead: liveChunks.caughtUp,
    hasRoom: () => hasDiskRoom(dataDir),
    followWebhooks: streams.followWebhooks,
    onWritten: keeper.grown,
    clock,
    logger,
  });
  function resumed(): void {
    keeper.clockJumped();
    wakeup.ring();
    ssh.resumed();
  }
  // The clock also shows a sleep that the host does not report, and a change by a person.
  const stopWatchingClock = watchClock(clock, (byMs) => {
    logger.info({ byMs }, 'the clock jumped: the machine slept, or it was set');
    resumed();
  });
  const stopWatchingAccess = followAfterAccessChanges(directory, sender);
  return {
    streams,
    liveChunks,
    sender,
    readProgress: createJobProgress({ directory, ledger, budget }),
    batches,
    resumed,
    feeds,
    async stop() {
      batches.close();
      await liveChunks.stop();
      await feeds.stop();
      stopWatchingClock();
      stopWatchingAccess();
      await streams.stop();
      await comebacks.stop();
      reach.stop();
    },
  };
}
