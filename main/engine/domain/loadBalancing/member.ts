/** A worker of a load-balancing endpoint: its server, its health and its requests. */
import type { Affinity } from './affinity.ts';
import type { HealthWatch } from './healthCheck.ts';
import type { BalancedPorts } from '../autoscaling/listenPorts.ts';
import type { WorkerProcess } from '../autoscaling/ports.ts';
import type { Worker } from '../jobs/workers/registry.ts';

/** The assignment of a worker to one request. */
export interface Lease {
  readonly workerId: string;
  /** The address of the worker's server. */
  readonly host: string;
  readonly port: number;
  /** Called when the worker ends before the lease does. `reason`: without a full stop. */
  onLost: ((reason: string) => void) | null;
  /** Ends the lease. `answered`: whether the worker has answered the request. */
  release(answered: boolean): void;
  /** Reports that nothing listens at the address: the worker gets no requests until its health check succeeds. */
  unreachable(): void;
}

export interface Member {
  readonly worker: Worker;
  readonly process: WorkerProcess;
  readonly ports: BalancedPorts;
  /** An array, because a Set may keep deleted entries and their requests in memory for a long time. */
  readonly leases: Lease[];
  watch: HealthWatch | null;
  ready: boolean;
  /** Whether the worker was ever ready. */
  begun: boolean;
  retired: boolean;
  lastBusyElapsed: number;
  /** The number of its last request, counted over all requests. */
  turn: number;
}

export const newMember = (
  worker: Worker,
  process: WorkerProcess,
  ports: BalancedPorts,
  lastBusyElapsed: number,
): Member => ({
  worker,
  process,
  ports,
  leases: [],
  watch: null,
  ready: false,
  begun: false,
  retired: false,
  lastBusyElapsed,
  turn: 0,
});

/** Assigns the worker at `address` to one request. `onReleased` is called once, at the end of the request. */
export function lendMember(
  member: Member,
  { host, port }: { host: string; port: number },
  onReleased: () => void,
): Lease {
  const { worker, leases } = member;
  const lease: Lease = {
    workerId: worker.id,
    host,
    port,
    onLost: null,
    release(answered) {
      const place = leases.indexOf(lease);
      if (place === -1) return;
      const last = leases.pop();
      if (last && last !== lease) leases[place] = last;
      if (answered) worker.finished++;
      onReleased();
    },
    unreachable: () => member.watch?.doubt(),
  };
  leases.push(lease);
  return lease;
}

/** Whether this worker gets requests. */
export const isAvailable = ({ ready, retired }: Member): boolean => ready && !retired;

/** The least busy worker; among equals, the one with the oldest last request. Null where none is available. */
export function pickMember(members: ReadonlyMap<string, Member>, affinity: Affinity | null): Member | null {
  const preferred = affinity && members.get(affinity.workerId);
  if (preferred && isAvailable(preferred)) return preferred;
  if (affinity?.strict) return null;
  let best: Member | null = null;
  for (const member of members.values()) {
    if (!isAvailable(member)) continue;
    if (best === null) {
      best = member;
      continue;
    }
    const difference = member.leases.length - best.leases.length;
    if (difference < 0 || (difference === 0 && member.turn < best.turn)) best = member;
  }
  return best;
}

/** Whether one more worker may become ready: one that starts, or an additional one. */
export function mayGrow(members: ReadonlyMap<string, Member>, workersMax: number): boolean {
  let staying = 0;
  let coming = 0;
  for (const { begun, retired } of members.values()) {
    if (retired) continue;
    if (begun) staying++;
    else coming++;
  }
  return coming > 0 || staying < workersMax;
}
