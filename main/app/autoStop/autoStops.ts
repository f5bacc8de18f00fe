/**
 * Stops Pods of accounts by their rules, while this app runs: the service of such an account has no rules of its own.
 * An engine of Hangar stops its Pods itself.
 *
 * Only accounts that have a Pod with a rule are asked, once a minute.
 */
import type { Account } from '#contract/app/account.ts';
import type { AutoStop, AutoStopCause, AutoStopChange } from '#contract/api/autoStop.ts';
import { dueStop, spendWarning } from '#contract/api/autoStopRule.ts';
import type { PodAutoStop } from '#contract/bridge/pod.ts';
import { AppError, messageOf } from '#contract/core/errors.ts';
import type { PodEvent } from '#contract/local/podEvent.ts';
import type { Logger } from 'pino';
import type { AutoStopRows, AutoStopRecord } from '../ledger/rows/autoStops.ts';
import type { Cancel, Clock } from '../platform/clock.ts';
import { priceOf } from './activity.ts';
import { createAutoStopRecords, isStoppedRun, withEvent, type AutoStopRecords, type Row } from './records.ts';

const EVERY_MS = 60_000;
/** A Pod that an account does not list in so many looks in a row is gone. */
const GONE_AFTER_LOOKS = 10;
/** How long an account may take to report a Pod as stopped. Then it is stopped again. */
const STOPPING_MS = 5 * EVERY_MS;

export interface AutoStopsOptions {
  directory: {
    list(): readonly Account[];
    compute(accountId: string): {
      pods: {
        rows(): Promise<{ rows: readonly Row[] }>;
        act(podId: string, action: 'stop'): Promise<unknown>;
      };
    };
  };
  rows: AutoStopRows;
  /** How many terminals of this app are open in a Pod. */
  terminalsIn(accountId: string, podId: string): Promise<number>;
  clock: Clock;
  logger: Logger;
}

export interface AutoStops {
  start(): void;
  /**
   * Changes the rules that are named, and looks at the Pod at once: a rule that holds already stops it. Rejects with
   * NOT_FOUND for an unknown Pod, and with BAD_REQUEST for a spend cap of a Pod that runs without a price.
   */
  change(accountId: string, podId: string, change: AutoStopChange): Promise<AutoStop>;
  stateOf(accountId: string, row: Row): AutoStop;
  /** The Pods that have a rule, as they were at the last look. */
  list(): PodAutoStop[];
  /** What this app did to a Pod, oldest first; null for a Pod without rules. */
  eventsOf(accountId: string, podId: string): readonly PodEvent[] | null;
  /** Forgets a removed account. Resolves once nothing of it is being read. */
  leave(accountId: string): Promise<void>;
  /** Begins no look any more, and stops nothing. */
  stop(): void;
}

const canBeAsked = ({ state }: Account): boolean => state === 'ok' || state === 'unknown';

/** Looks at one Pod with rules, and stops it if one says so. */
function createInspection(
  { directory, terminalsIn, clock, logger }: AutoStopsOptions,
  records: AutoStopRecords,
  isOver: () => boolean,
) {
  async function stop(one: AutoStopRecord, cause: AutoStopCause, reason: string): Promise<void> {
    const { accountId, podId } = one;
    try {
      await directory.compute(accountId).pods.act(podId, 'stop');
    } catch (thrown) {
      logger.warn({ accountId, podId, err: thrown }, 'a Pod could not be stopped by its rules; it is tried again');
      const text = `It could not be stopped (${reason}): ${messageOf(thrown)}`;
      records.save(withEvent(records.find(accountId, podId) ?? one, 'failed', text, clock.now()));
      return;
    }
    logger.info({ accountId, podId, reason }, 'a Pod was stopped by its rules');
    records.noteStop(accountId, podId, cause, reason);
  }

  /** Whether the account may not have reported a stop yet. */
  function isStopping(one: AutoStopRecord): boolean {
    const { stopped, startedAt } = one;
    return stopped !== null && isStoppedRun(one, startedAt ?? 0) && clock.now() - Date.parse(stopped.at) < STOPPING_MS;
  }

  return async function inspect({ accountId, podId }: AutoStopRecord, row: Row): Promise<void> {
    const terminals = await terminalsIn(accountId, podId);
    // It may have been changed or removed meanwhile.
    const current = records.find(accountId, podId);
    if (isOver() || !current) return;
    const noted = records.note(current, row, terminals);
    if (row.pod.desiredStatus !== 'RUNNING' || isStopping(noted)) return;
    const facts = records.factsOf(noted, row);
    const due = row.pod.locked ? null : dueStop(facts, clock.now());
    if (due) return stop(noted, due.cause, due.reason);
    const warning = noted.isWarned ? null : spendWarning(facts, clock.now());
    if (warning !== null) records.save({ ...withEvent(noted, 'warned', warning, clock.now()), isWarned: true });
  };
}

export function createAutoStops(options: AutoStopsOptions): AutoStops {
  const { directory, rows, clock, logger } = options;
  const records = createAutoStopRecords(rows, clock);
  /** In how many looks in a row a Pod was not listed. */
  const missed = new Map<string, number>();
  const reading = new Map<string, Promise<void>>();
  let cancelNext: Cancel = () => undefined;
  let isStopped = false;
  const inspect = createInspection(options, records, () => isStopped);

  /** Whether a Pod that is not listed now is gone. */
  function isGone(one: AutoStopRecord, row: Row | undefined): boolean {
    const key = `${one.accountId}/${one.podId}`;
    missed.set(key, row === undefined ? (missed.get(key) ?? 0) + 1 : 0);
    return row?.pod.desiredStatus === 'TERMINATED' || (missed.get(key) ?? 0) >= GONE_AFTER_LOOKS;
  }

  async function read(accountId: string): Promise<void> {
    try {
      const all = (await directory.compute(accountId).pods.rows()).rows;
      const known = new Map(all.map((row) => [row.pod.id, row]));
      for (const one of records.of(accountId)) {
        if (isStopped) return;
        const row = known.get(one.podId);
        if (isGone(one, row)) records.remove(one);
        else if (row !== undefined) await inspect(one, row);
      }
    } catch (thrown) {
      logger.debug({ accountId, reason: messageOf(thrown) }, 'Pods with rules could not be read');
    }
  }

  /** One read of an account at a time. */
  function readOnce(accountId: string): Promise<void> {
    const under = reading.get(accountId);
    if (under) return under;
    const done = read(accountId).finally(() => reading.delete(accountId));
    reading.set(accountId, done);
    return done;
  }

  function readAll(): void {
    cancelNext = clock.after(EVERY_MS, readAll);
    const wanted = records.accountIds();
    for (const account of directory.list())
      if (wanted.has(account.id) && canBeAsked(account)) void readOnce(account.id);
  }

  return {
    start() {
      if (!isStopped) readAll();
    },

    async change(accountId, podId, change) {
      const { rows: all } = await directory.compute(accountId).pods.rows();
      const row = all.find(({ pod }) => pod.id === podId);
      if (!row) throw new AppError('NOT_FOUND', `The account has no Pod ${JSON.stringify(podId)}.`);
      if (change.spendUsd != null && row.pod.desiredStatus === 'RUNNING' && priceOf(row) <= 0) {
        throw new AppError(
          'BAD_REQUEST',
          `spendUsd is ${change.spendUsd}, but the account does not report the price of the Pod ${JSON.stringify(row.pod.name)}, so its cost is unknown.`,
        );
      }
      const before = records.orNew(accountId, podId, row.pod.name);
      const { idleMinutes = before.rules.idleMinutes, spendUsd = before.rules.spendUsd } = change;
      const isWarned = before.rules.spendUsd === spendUsd && before.isWarned;
      await inspect(records.save({ ...before, rules: { idleMinutes, spendUsd }, isWarned }), row);
      return records.lastStateOf(records.orNew(accountId, podId, row.pod.name));
    },

    stateOf: records.stateOf,

    list: () =>
      records.all().map((one) => {
        const { accountId, podId, podName } = one;
        return { accountId, podId, podName, autoStop: records.lastStateOf(one) };
      }),

    eventsOf: (accountId, podId) => records.find(accountId, podId)?.events ?? null,

    async leave(accountId) {
      for (const one of records.of(accountId)) records.remove(one);
      rows.forget(accountId);
      await reading.get(accountId);
    },

    stop() {
      isStopped = true;
      cancelNext();
    },
  };
}
