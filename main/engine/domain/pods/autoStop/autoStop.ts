/** Stops Pods of this machine by their rules: once they were idle for a while, or have cost some money. */
import { noAutoStop, type AutoStop, type AutoStopCause, type AutoStopChange } from '#contract/api/autoStop.ts';
import {
  dueStop,
  followIdle,
  nextStop,
  spendWarning,
  spentOf,
  type AutoStopFacts,
  type IdleTrack,
  type PodActivity,
} from '#contract/api/autoStopRule.ts';
import { AppError } from '#contract/core/errors.ts';
import type { Clock, Logger } from '../../core/ports.ts';
import type { PodHistory } from '../history/history.ts';
import type { PodRecord } from '../podInterfaces.ts';
import type { PodRecords } from '../records.ts';
import { isLockedFor } from '../state.ts';

/** Pods are measured every ten seconds. After a longer gap, such as the sleep of the machine, the idle time begins anew. */
const GAP_MS = 60_000;

export interface PodAutoStop {
  /** Takes a measurement of a Pod, or null if it could not be measured, and stops it if a rule says so. */
  observe(podId: string, activity: PodActivity | null): void;
  /** Changes the rules that are named. Throws NOT_FOUND, and BAD_REQUEST for a spend cap of a Pod without a price. */
  change(podId: string, change: AutoStopChange): AutoStop;
  stateOf(pod: PodRecord): AutoStop;
  forget(podId: string): void;
}

export interface PodAutoStopOptions {
  clock: Pick<Clock, 'now'>;
  logger: Logger;
  records: Pick<PodRecords, 'find' | 'get' | 'save'>;
  history: Pick<PodHistory, 'note'>;
  /** The present price of a Pod, US dollars per hour. */
  price(pod: PodRecord): number;
  /** Whether its container runs. */
  runs(podId: string): boolean;
  /** Stops it. `words`: the last change of its status, without the time. */
  stop(podId: string, words: string, text: string): Promise<void>;
  /** Called when a Pod becomes idle or busy. */
  changed(podId: string): void;
}

/** A GPU of the Pod that the machine does not list just now has an unknown load. */
const withAllGpus = ({ gpuUuids }: PodRecord, activity: PodActivity): PodActivity =>
  gpuUuids.length > activity.gpuPercents.length
    ? { ...activity, gpuPercents: [...activity.gpuPercents, null] }
    : activity;

/** Smaller changes of a price are not kept: the price by measured electricity changes a little all the time. */
const LEAST_CHANGE = 0.01;
const isOther = (price: number, before: number): boolean =>
  Math.abs(price - before) > LEAST_CHANGE * Math.max(price, before);

const costOf = (pod: PodRecord): Pick<AutoStopFacts, 'perHourUsd' | 'since' | 'earlierUsd'> => ({
  perHourUsd: pod.costPerHr,
  since: pod.spent?.until ?? pod.runsSince ?? null,
  earlierUsd: pod.spent?.usd ?? 0,
});

type RepriceOptions = Pick<PodAutoStopOptions, 'clock' | 'logger' | 'records' | 'price'>;

/** The Pod with its present price: what it cost until now keeps the price of that time. */
export function repriced(pod: PodRecord, { clock, price }: Pick<RepriceOptions, 'clock' | 'price'>): PodRecord {
  const costPerHr = price(pod);
  if (!isOther(costPerHr, pod.costPerHr)) return pod;
  const until = clock.now();
  const usd = spentOf(costOf(pod), until) ?? 0;
  return { ...pod, costPerHr, ...(pod.runsSince != null && { spent: { usd, until } }) };
}

/** Stores a changed price. Returns the Pod as it is stored. */
function keepPrice(pod: PodRecord, options: RepriceOptions): PodRecord {
  const now = repriced(pod, options);
  if (now === pod) return pod;
  try {
    return options.records.save(now);
  } catch (err) {
    options.logger.warn({ podId: pod.id, err }, 'the changed price of a Pod could not be stored; it is tried again');
    return pod;
  }
}

const iso = (at: number): string => new Date(at).toISOString();

export function createPodAutoStop(options: PodAutoStopOptions): PodAutoStop {
  const { clock, logger, records, history, runs, changed } = options;
  const tracks = new Map<string, IdleTrack>();
  const stopping = new Set<string>();

  const factsOf = (pod: PodRecord): AutoStopFacts => ({
    rules: pod.autoStop?.rules ?? noAutoStop,
    idleSince: tracks.get(pod.id)?.idleSince ?? null,
    ...costOf(pod),
  });

  async function stop({ id }: PodRecord, cause: AutoStopCause, reason: string): Promise<void> {
    if (stopping.has(id)) return;
    stopping.add(id);
    try {
      logger.info({ podId: id, reason }, 'a Pod is stopped by its rules');
      await options.stop(id, `Stopped, ${reason}`, `Stopped: ${reason}.`);
      const after = records.find(id);
      // A person may have started it meanwhile.
      if (after?.desiredStatus !== 'EXITED' || !after.autoStop) return;
      const stopped = { at: iso(clock.now()), cause, reason };
      records.save({ ...after, autoStop: { ...after.autoStop, stopped } });
    } catch (err) {
      logger.warn({ podId: id, err }, 'a Pod could not be stopped by its rules; the next measurement tries again');
    } finally {
      stopping.delete(id);
      tracks.delete(id);
    }
  }

  function warn(pod: PodRecord, facts: AutoStopFacts): void {
    const text = pod.autoStop?.isWarned === false ? spendWarning(facts, clock.now()) : null;
    if (text === null || !pod.autoStop) return;
    try {
      records.save({ ...pod, autoStop: { ...pod.autoStop, isWarned: true } });
    } catch (err) {
      logger.warn({ podId: pod.id, err }, 'the warning about the cost of a Pod could not be stored');
      return;
    }
    history.note(pod.id, { kind: 'warned', text });
    changed(pod.id);
  }

  function track(podId: string, activity: PodActivity | null): void {
    const before = tracks.get(podId) ?? null;
    const now = followIdle(before, activity, clock.now(), GAP_MS);
    tracks.set(podId, now);
    if (now.idleSince !== before?.idleSince) changed(podId);
  }

  const stateOf = (pod: PodRecord): AutoStop => {
    const isUp = pod.desiredStatus === 'RUNNING' && runs(pod.id);
    const facts = factsOf(pod);
    const next = isUp && !isLockedFor(pod, 'stop') ? nextStop(facts) : null;
    const track = isUp ? tracks.get(pod.id) : undefined;
    return {
      rules: facts.rules,
      idleSince: track?.idleSince == null ? null : iso(track.idleSince),
      busyWith: track?.busyWith ?? null,
      measuredAt: track ? iso(track.measuredAt) : null,
      next: next && { at: iso(next.at), cause: next.cause },
      spentUsd: isUp ? spentOf(facts, clock.now()) : null,
      stopped: pod.autoStop?.stopped ?? null,
    };
  };

  return {
    observe(podId, activity) {
      const stored = records.find(podId);
      if (stored?.desiredStatus !== 'RUNNING' || !runs(podId)) {
        tracks.delete(podId);
        return;
      }
      const pod = keepPrice(stored, options);
      if (!pod.autoStop) {
        tracks.delete(podId);
        return;
      }
      track(podId, activity && withAllGpus(pod, activity));
      const facts = factsOf(pod);
      // A locked Pod waits until it is unlocked.
      const due = isLockedFor(pod, 'stop') ? null : dueStop(facts, clock.now());
      if (due) void stop(pod, due.cause, due.reason);
      else warn(pod, facts);
    },

    change(podId, change) {
      const pod = repriced(records.get(podId), options);
      if (pod.desiredStatus === 'TERMINATED') throw new AppError('NOT_FOUND', `The Pod ${podId} was deleted.`);
      if (change.spendUsd != null && pod.costPerHr <= 0) {
        throw new AppError(
          'BAD_REQUEST',
          `spendUsd is ${change.spendUsd}, and the Pod ${JSON.stringify(pod.name)} has no price, so that its cost stays $0. Set a price for its hardware in the settings of this machine.`,
        );
      }
      const before = pod.autoStop?.rules ?? noAutoStop;
      const { idleMinutes = before.idleMinutes, spendUsd = before.spendUsd } = change;
      const { autoStop: old, ...rest } = pod;
      const rules = { idleMinutes, spendUsd };
      const hasRule = idleMinutes !== null || spendUsd !== null;
      const isWarned = spendUsd === before.spendUsd && (old?.isWarned ?? false);
      const saved = records.save(
        hasRule ? { ...rest, autoStop: { rules, isWarned, stopped: old?.stopped ?? null } } : rest,
      );
      if (!hasRule) tracks.delete(podId);
      return stateOf(saved);
    },

    stateOf,
    forget: (podId) => void tracks.delete(podId),
  };
}

/** The record of a Pod that a person starts: its cost counts anew, and an earlier stop by its rules is over. */
export function startedAnew(pod: PodRecord): PodRecord {
  const { autoStop, ...rest } = pod;
  return {
    ...rest,
    runsSince: null,
    spent: null,
    ...(autoStop && { autoStop: { rules: autoStop.rules, isWarned: false, stopped: null } }),
  };
}
