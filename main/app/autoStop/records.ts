/** The Pods of accounts that have rules: stored, with what was seen of each at the last look. */
import { noAutoStop, type AutoStop, type AutoStopCause } from '#contract/api/autoStop.ts';
import { followIdle, nextStop, spentOf, type AutoStopFacts, type IdleTrack } from '#contract/api/autoStopRule.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import { podHistoryLimits, type PodEvent, type PodEventKind } from '#contract/local/podEvent.ts';
import type { AutoStopRows, AutoStopRecord } from '../ledger/rows/autoStops.ts';
import type { Clock } from '../platform/clock.ts';
import { activityOf, priceOf, startOf } from './activity.ts';

/** A Pod as its account tells it. */
export type Row = Pick<PodRow, 'pod' | 'facts'>;

/** After a longer time without an answer of the account, the idle time begins anew. */
const GAP_MS = 3 * 60_000;

const iso = (at: number): string => new Date(at).toISOString();
const keyOf = (accountId: string, podId: string): string => `${accountId}/${podId}`;

export function withEvent(record: AutoStopRecord, kind: PodEventKind, text: string, at: number): AutoStopRecord {
  const last = record.events.at(-1);
  const isSame = last?.kind === kind && last.text === text;
  const event: PodEvent = {
    n: (last?.n ?? 0) + 1,
    at: iso(at),
    kind,
    by: 'engine',
    keyName: null,
    text,
    times: isSame ? last.times + 1 : 1,
    exitCode: null,
    lastLines: [],
  };
  const events = [...(isSame ? record.events.slice(0, -1) : record.events), event];
  return { ...record, events: events.slice(-podHistoryLimits.events) };
}

const factsOf = (
  record: Pick<AutoStopRecord, 'rules' | 'startedAt'>,
  track: IdleTrack | undefined,
  perHourUsd: number,
): AutoStopFacts => ({
  rules: record.rules,
  idleSince: track?.idleSince ?? null,
  perHourUsd,
  since: record.startedAt,
});

/** `price`: US dollars per hour. `isLocked`: the Pod cannot be stopped. */
function stateFrom(
  record: Pick<AutoStopRecord, 'rules' | 'startedAt' | 'stopped'>,
  track: IdleTrack | undefined,
  { isUp, isLocked, price }: LastLook,
  now: number,
): AutoStop {
  const facts = factsOf(record, track, price);
  const next = isUp && !isLocked ? nextStop(facts) : null;
  return {
    rules: record.rules,
    idleSince: isUp && track?.idleSince != null ? iso(track.idleSince) : null,
    busyWith: isUp ? (track?.busyWith ?? null) : null,
    measuredAt: isUp && track ? iso(track.measuredAt) : null,
    next: next && { at: iso(next.at), cause: next.cause },
    spentUsd: isUp ? spentOf(facts, now) : null,
    stopped: isUp ? null : record.stopped,
  };
}

/** Whether the run of a Pod began before the last stop by its rules: the account has not reported the stop yet. */
export const isStoppedRun = ({ stopped }: AutoStopRecord, startedAt: number): boolean =>
  stopped !== null && startedAt <= Date.parse(stopped.at);

const hasRule = ({ rules }: AutoStopRecord): boolean => rules.idleMinutes !== null || rules.spendUsd !== null;

interface LastLook {
  isUp: boolean;
  isLocked: boolean;
  price: number;
}

const lookOf = ({ pod }: Row): LastLook => ({
  isUp: pod.desiredStatus === 'RUNNING',
  isLocked: pod.locked,
  price: priceOf({ pod }),
});
/** The row of a Pod without rules. */
const NEW_RECORD = { isWarned: false, stopped: null, startedAt: null, events: [] };
const NOT_SEEN: LastLook = { isUp: false, isLocked: false, price: 0 };

export interface AutoStopRecords {
  all(): AutoStopRecord[];
  /** Those of an account that have a rule, or had one. */
  of(accountId: string): AutoStopRecord[];
  find(accountId: string, podId: string): AutoStopRecord | undefined;
  /** The accounts with a rule. */
  accountIds(): ReadonlySet<string>;
  save(record: AutoStopRecord): AutoStopRecord;
  /** A Pod without rules until now, or with its rules. */
  orNew(accountId: string, podId: string, podName: string): AutoStopRecord;
  remove(record: Pick<AutoStopRecord, 'accountId' | 'podId'>): void;
  /** Takes what the account tells of a Pod. Returns the Pod, stored with what has changed. */
  note(record: AutoStopRecord, row: Row, terminals: number): AutoStopRecord;
  /** A rule has stopped the Pod. */
  noteStop(accountId: string, podId: string, cause: AutoStopCause, reason: string): void;
  factsOf(record: AutoStopRecord, row: Row): AutoStopFacts;
  stateOf(accountId: string, row: Row): AutoStop;
  /** As it was at the last look. */
  lastStateOf(record: AutoStopRecord): AutoStop;
}

export function createAutoStopRecords(rows: AutoStopRows, clock: Pick<Clock, 'now'>): AutoStopRecords {
  const byKey = new Map(rows.list().map((one) => [keyOf(one.accountId, one.podId), one]));
  const tracks = new Map<string, IdleTrack>();
  const looks = new Map<string, LastLook>();
  const all = (): AutoStopRecord[] => [...byKey.values()];

  function save(next: AutoStopRecord): AutoStopRecord {
    rows.save(next);
    byKey.set(keyOf(next.accountId, next.podId), next);
    return next;
  }

  /** Takes what the account tells of a Pod with rules. */
  function note(one: AutoStopRecord, row: Row, terminals: number): AutoStopRecord {
    const key = keyOf(one.accountId, one.podId);
    const now = clock.now();
    looks.set(key, lookOf(row));
    const podName = row.pod.name;
    if (row.pod.desiredStatus !== 'RUNNING') {
      tracks.delete(key);
      return one.startedAt === null && podName === one.podName ? one : save({ ...one, podName, startedAt: null });
    }
    tracks.set(key, followIdle(tracks.get(key) ?? null, activityOf(row, terminals), now, GAP_MS));
    const startedAt = startOf(row, one.startedAt, now);
    if (startedAt === one.startedAt && podName === one.podName) return one;
    // Another start: its cost counts anew.
    const isStart = startedAt !== one.startedAt && !isStoppedRun(one, startedAt);
    return save({ ...one, podName, startedAt, ...(isStart && { isWarned: false, stopped: null }) });
  }

  function noteStop(accountId: string, podId: string, cause: AutoStopCause, reason: string): void {
    const key = keyOf(accountId, podId);
    tracks.delete(key);
    looks.set(key, { ...(looks.get(key) ?? NOT_SEEN), isUp: false });
    // The rules may have changed meanwhile.
    const current = byKey.get(key);
    if (!current) return;
    const stopped = { at: iso(clock.now()), cause, reason };
    save({ ...withEvent(current, 'stopped', `Stopped: ${reason}.`, clock.now()), stopped, startedAt: null });
  }

  return {
    all,
    of: (accountId) => all().filter((one) => one.accountId === accountId),
    find: (accountId, podId) => byKey.get(keyOf(accountId, podId)),
    accountIds: () => new Set(all().flatMap((one) => (hasRule(one) ? [one.accountId] : []))),
    save,
    orNew: (accountId, podId, podName) =>
      byKey.get(keyOf(accountId, podId)) ?? { ...NEW_RECORD, accountId, podId, podName, rules: noAutoStop },
    remove({ accountId, podId }) {
      rows.remove(accountId, podId);
      for (const map of [byKey, tracks, looks]) map.delete(keyOf(accountId, podId));
    },
    note,
    noteStop,
    factsOf: (one, row) => factsOf(one, tracks.get(keyOf(one.accountId, one.podId)), priceOf(row)),
    stateOf(accountId, row) {
      const key = keyOf(accountId, row.pod.id);
      const one = byKey.get(key);
      if (one) return stateFrom(one, tracks.get(key), lookOf(row), clock.now());
      return stateFrom({ ...NEW_RECORD, rules: noAutoStop }, undefined, NOT_SEEN, clock.now());
    },
    lastStateOf(one) {
      const key = keyOf(one.accountId, one.podId);
      return stateFrom(one, tracks.get(key), looks.get(key) ?? NOT_SEEN, clock.now());
    },
  };
}
