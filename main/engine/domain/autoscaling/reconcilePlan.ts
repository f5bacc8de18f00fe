/**
 * What is to be done about an endpoint's workers: how many to start, which go at once, which go after their work, and when to
 * look again. A pure function of what is there.
 *
 * A worker is starting until it is ready, then it serves. One of an older version is replaced one by one: a new one is ready
 * before the next old one goes. Where there is no room for one more, an old one goes first. One that is leaving takes up room
 * until it has ended, so that there are never more than workersMax.
 */
import type { Demand } from './demand.ts';
import { targetWorkers, type ScalingSettings } from './scaling.ts';

/** A worker as the plan sees it. */
export interface PlannedWorker {
  /** Stopped, or gets nothing more: it only takes up room. */
  readonly leaving: boolean;
  readonly ready: boolean;
  /** It has been ready, and may be no longer. */
  readonly begun: boolean;
  readonly busy: boolean;
  /** Of an older version than the endpoint. */
  readonly outdated: boolean;
  /** Since it last had something to do. */
  readonly idleMs: number;
}

export interface PlanState<W extends PlannedWorker> {
  readonly endpoint: ScalingSettings & { readonly idleTimeout: number };
  readonly demand: Demand;
  readonly workers: readonly W[];
  /** A further worker could not be had, such as for want of a GPU: there is room only once another one has gone. */
  readonly crowded: boolean;
}

export interface Plan<W> {
  readonly start: number;
  readonly stop: readonly W[];
  /** Get nothing new, and go once they have nothing to do. */
  readonly retire: readonly W[];
  /** When a look is due though nothing has happened, in milliseconds; null when none is. */
  readonly checkInMs: number | null;
}

export function planWorkers<W extends PlannedWorker>({ endpoint, demand, workers, crowded }: PlanState<W>): Plan<W> {
  const stop: W[] = [];
  const retire: W[] = [];
  const retireOrStop = (worker: W): void => void (worker.busy ? retire : stop).push(worker);

  const old: W[] = [];
  const fresh: W[] = [];
  let leaving = 0;
  let busy = 0;
  for (const worker of workers) {
    if (worker.leaving) leaving++;
    // One that has not begun has nothing to end.
    else if (worker.outdated && !worker.ready && !worker.busy) stop.push(worker);
    else {
      (worker.outdated ? old : fresh).push(worker);
      if (worker.busy) busy++;
    }
  }
  leaving += stop.length;
  const target = targetWorkers(demand, busy, endpoint);
  // Idle ones first, and of those the one that has been idle longest.
  const byUse = (a: W, b: W): number => Number(a.busy) - Number(b.busy) || b.idleMs - a.idleMs;
  old.sort(byUse);

  let readyCount = 0;
  for (const worker of fresh) if (worker.ready || worker.busy) readyCount++;
  let starting = fresh.length - readyCount;
  // Old ones that are not needed, or no longer.
  while (old.length > 0 && old.length + readyCount > target.workers) {
    retireOrStop(old.shift()!);
    leaving++;
  }
  // What is above the maximum, such as one that was lowered: those that have not begun first, then as above.
  let over = old.length + fresh.length - endpoint.workersMax;
  if (over > 0) {
    fresh.sort((a, b) => Number(a.ready) - Number(b.ready) || byUse(a, b));
    for (; over > 0; over--) {
      const worker = old.shift() ?? fresh.shift()!;
      if (!worker.ready && !worker.busy && !worker.outdated) starting--;
      retireOrStop(worker);
      leaving++;
    }
  }

  const room = Math.max(0, endpoint.workersMax - old.length - fresh.length - leaving);
  let start = 0;
  if (old.length === 0) start = Math.min(room, Math.max(0, target.workers - fresh.length));
  else if (starting === 0) {
    if (room > 0 && !crowded) start = 1;
    else if (leaving === 0) retireOrStop(old.shift()!);
  }

  let checkInMs = target.moreInMs;
  const soonest = (ms: number): void => void (checkInMs = checkInMs === null ? ms : Math.min(checkInMs, ms));
  let spare = old.length + fresh.length - target.keep;
  if (spare > 0) {
    const idle = fresh.filter(({ begun, busy: atWork }) => begun && !atWork).sort(byUse);
    for (const worker of idle) {
      if (spare-- <= 0) break;
      const leftMs = endpoint.idleTimeout * 1000 - worker.idleMs;
      if (leftMs <= 0) stop.push(worker);
      else {
        soonest(leftMs);
        break;
      }
    }
  }
  return { start, stop, retire, checkInMs };
}
