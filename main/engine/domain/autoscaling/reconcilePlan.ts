/**
 * Plans the changes to an endpoint's workers: how many to start, which to stop now, which to stop after their work, and
 * when to plan again. A pure function of the state.
 *
 * A worker is starting until it is ready, then it serves. Workers of an older version are replaced one by one: a new
 * worker is ready before the next old one stops. Without room for an additional worker, an old one stops first. A
 * stopping worker occupies its place until it has ended, so the number of workers never exceeds workersMax.
 */
import type { Demand } from './demand.ts';
import { targetWorkers, type ScalingSettings } from './scaling.ts';

/** The state of a worker for the plan. */
export interface PlannedWorker {
  /** It is stopping or gets no new work: it only occupies a place. */
  readonly leaving: boolean;
  readonly ready: boolean;
  /** It was ready at least once. */
  readonly begun: boolean;
  readonly busy: boolean;
  /** Its version is older than that of the endpoint. */
  readonly outdated: boolean;
  /** Milliseconds since it last had work. */
  readonly idleMs: number;
}

export interface PlanState<W extends PlannedWorker> {
  readonly endpoint: ScalingSettings & { readonly idleTimeout: number };
  readonly demand: Demand;
  readonly workers: readonly W[];
  /** An additional worker cannot start, for example because no GPU is free. One must end first. */
  readonly crowded: boolean;
}

export interface Plan<W> {
  readonly start: number;
  readonly stop: readonly W[];
  /** Workers that get no new work and stop when they are idle. */
  readonly retire: readonly W[];
  /** When to plan again without an event, in milliseconds; null for never. */
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
    // A worker that does not serve yet has no work to finish.
    else if (worker.outdated && !worker.ready && !worker.busy) stop.push(worker);
    else {
      (worker.outdated ? old : fresh).push(worker);
      if (worker.busy) busy++;
    }
  }
  leaving += stop.length;
  const target = targetWorkers(demand, busy, endpoint);
  // Idle workers first, the one that is idle longest before the others.
  const byUse = (a: W, b: W): number => Number(a.busy) - Number(b.busy) || b.idleMs - a.idleMs;
  old.sort(byUse);

  let readyCount = 0;
  for (const worker of fresh) if (worker.ready || worker.busy) readyCount++;
  let starting = fresh.length - readyCount;
  // Stop the old workers beyond the target.
  while (old.length + readyCount > target.workers) {
    const worker = old.shift();
    if (!worker) break;
    retireOrStop(worker);
    leaving++;
  }
  // Stop the workers above workersMax, for example after it was lowered: starting ones first, then in the order above.
  let over = old.length + fresh.length - endpoint.workersMax;
  if (over > 0) {
    fresh.sort((a, b) => Number(a.ready) - Number(b.ready) || byUse(a, b));
    for (; over > 0; over--) {
      const worker = old.shift() ?? fresh.shift();
      if (!worker) break;
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
    else if (leaving === 0) {
      const worker = old.shift();
      if (worker) retireOrStop(worker);
    }
  }

  let checkInMs = target.moreInMs;
  const soonest = (ms: number): void => void (checkInMs = checkInMs === null ? ms : Math.min(checkInMs, ms));
  let surplus = old.length + fresh.length - target.keep;
  if (surplus > 0) {
    const idle = fresh.filter(({ begun, busy: atWork }) => begun && !atWork).sort(byUse);
    for (const worker of idle) {
      if (surplus-- <= 0) break;
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
