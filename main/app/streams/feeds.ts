/** One reader for each account, for as long as the account is there: of the feed of an engine, or of `/requests`. */
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from 'pino';
import { readFeed, readReasons, type FeedJournal } from './feedReader.ts';
import { readRequests, type RequestsSource } from './requestsReader.ts';

export interface Feeds {
  /** Starts the readers of all accounts, also of later ones. */
  start(): void;
  /** A window shows jobs, until the returned function is called. */
  attend(): () => void;
  stop(): Promise<void>;
}

export interface FeedsOptions {
  accounts: { list(): Account[]; onChange(listener: () => void): () => void };
  compute: (accountId: string) => RequestsSource;
  journal: FeedJournal;
  isSending: (accountId: string) => boolean;
  /** Resolves once the last chunks of these ended jobs are read, where somebody watches them. */
  chunksRead: (accountId: string, jobIds: readonly string[]) => Promise<void>;
  hasRoom: () => boolean;
  /** Begins to read the webhooks of an ended job. */
  followWebhooks: (entry: LedgerEntry) => void;
  onWritten: (bytes: number) => void;
  clock: Clock;
  logger: Logger;
}

const ACCOUNT_GONE = 'Its account was removed from Hangar before the job ended. Its output until then is here.';

interface Reading {
  isEngine: boolean;
  life: AbortController;
  done: Promise<void>;
}

const hasFeed = ({ capabilities }: Account): boolean => capabilities.includes('local');

export function createFeeds(options: FeedsOptions): Feeds {
  const { accounts, compute, journal, isSending, chunksRead, clock, logger } = options;
  const readings = new Map<string, Reading>();
  const leaving = new Set<Promise<void>>();
  let stopWatching = (): void => undefined;
  /** Windows that show jobs. */
  let attending = 0;

  function start(account: Account): void {
    const life = new AbortController();
    const reading = {
      ...options,
      account,
      source: () => compute(account.id),
      isSending: () => isSending(account.id),
      chunksRead: (jobIds: readonly string[]) => chunksRead(account.id, jobIds),
      isWanted: () => account.id === THIS_MACHINE || attending > 0,
      signal: life.signal,
    };
    const isEngine = hasFeed(account);
    const readers = isEngine ? [readFeed(reading), readReasons(reading, () => attending > 0)] : [readRequests(reading)];
    readings.set(account.id, { life, isEngine, done: Promise.all(readers).then(() => undefined) });
  }

  /** Ends the reader of an account that was removed, and the jobs that only its feed reported. */
  async function leave(accountId: string, { life, done }: Reading, isRemoved: boolean): Promise<void> {
    life.abort(new Error('The account was removed or changed.'));
    await done;
    if (!isRemoved) return;
    for (const { entryId } of journal.unfinishedByFeed(accountId)) {
      await journal.finish(
        entryId,
        { status: 'GONE', error: ACCOUNT_GONE, waiting: null, finishedAt: clock.now() },
        null,
      );
    }
  }

  function update(): void {
    const wanted = accounts.list();
    const byId = new Map(wanted.map((account) => [account.id, account]));
    for (const [accountId, reading] of readings) {
      const account = byId.get(accountId);
      if (account && hasFeed(account) === reading.isEngine) continue;
      readings.delete(accountId);
      const left = leave(accountId, reading, account === undefined)
        .catch((error: unknown) => logger.error({ err: error }, 'the jobs of a removed account could not be ended'))
        .finally(() => leaving.delete(left));
      leaving.add(left);
    }
    for (const account of wanted) if (!readings.has(account.id)) start(account);
  }

  return {
    attend() {
      attending += 1;
      return () => void (attending -= 1);
    },
    start() {
      stopWatching = accounts.onChange(update);
      update();
    },
    async stop() {
      stopWatching();
      for (const { life } of readings.values()) life.abort(new Error('Hangar is stopping.'));
      await Promise.all([...leaving, ...[...readings.values()].map(({ done }) => done)]);
    },
  };
}
