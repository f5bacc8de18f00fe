/** The queue of endpoints that wait for a GPU, the longest wait first. Idle holders of GPUs make room for them. */
import { limits } from '#contract/core/limits.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import type { GpuClaims } from '../../../domain/gpus/claims.ts';
import { selectPreemptible, type Holder } from '../../../domain/gpus/preemption.ts';
import type { Clock } from '../../../domain/core/ports.ts';
import type { Crowding, Group, Member } from './endpointWorkers.ts';

export interface GpuQueueOptions {
  clock: Clock;
  gpus: GpuClaims;
  find(workerId: string): { group: Group; member: Member } | null;
  retire(group: Group, member: Member): void;
  poke(endpointId: string): void;
  checkIn(group: Group, ms: number): void;
}

export interface GpuQueue {
  /** Whether an endpoint with a longer wait must try first after a change. Then the group joins the queue behind it. */
  mustYield(group: Group, endpoint: Endpoint): boolean;
  /** Adds a group that could not get a GPU. */
  join(group: Group, endpoint: Endpoint, message: string): void;
  /** Removes a group that has its GPUs, or needs none any more. */
  leave(group: Group): void;
  /**
   * Retires idle workers with a GPU that the endpoint needs. After a turn, busy workers of other endpoints retire as
   * well.
   */
  makeRoom(group: Group, endpoint: Endpoint): void;
  /** Reacts to a change of the group's workers: one of them may hold a GPU that another group needs. */
  recheck(group: Group): void;
  /** Reacts to a free, new or missing GPU: all groups try again, the longest wait first. */
  changed(): void;
}

export function createGpuQueue({ clock, gpus, find, retire, poke, checkIn }: GpuQueueOptions): GpuQueue {
  /** The crowding of each waiting group, the same object as its `crowding`. The longest wait is first. */
  const waiting = new Map<Group, Crowding>();

  function add(group: Group, endpoint: Endpoint, message: string, again: boolean): void {
    if (group.crowding) Object.assign(group.crowding, { message, endpoint, again });
    else group.crowding = { message, endpoint, again, since: clock.elapsed() };
    waiting.set(group, group.crowding);
  }

  function pokeWaiting(): void {
    for (const group of waiting.keys()) poke(group.endpointId);
  }

  function holderOf(workerId: string): Holder | undefined {
    const worker = find(workerId);
    if (!worker) return undefined;
    const { group, member } = worker;
    const { busy, ready } = group.source.load(member.worker);
    const leaving = member.stopReason !== null || member.retired;
    // A short pause between two jobs does not make a worker idle.
    const hasWork = busy > 0 || group.source.demand(group.endpointId).queued > 0;
    return { endpointId: group.endpointId, leaving, ready, busy: hasWork };
  }

  return {
    mustYield(group, endpoint) {
      if (endpoint.computeType === 'CPU' || endpoint.gpuCount === 0) return false;
      for (const [other, { again }] of waiting) {
        if (other === group) return false;
        if (!again) continue;
        add(group, endpoint, 'Another endpoint has waited longer for a GPU; it goes first.', true);
        return true;
      }
      return false;
    },
    join(group, endpoint, message) {
      add(group, endpoint, message, false);
      for (const [other, { again }] of waiting) if (again) poke(other.endpointId);
    },
    leave(group) {
      if (!group.crowding) return;
      group.crowding = null;
      waiting.delete(group);
      pokeWaiting();
    },
    makeRoom(group, endpoint) {
      const crowding = waiting.get(group);
      if (!crowding || group.source.demand(endpoint.id).queued === 0) return;
      // An endpoint with a worker makes progress. Only endpoints without one take turns.
      const turnMs = group.members.size > 0 ? null : crowding.since + limits.gpuTurnMs - clock.elapsed();
      if (turnMs !== null && turnMs > 0) checkIn(group, turnMs);
      const turnIsOver = turnMs !== null && turnMs <= 0;
      for (const workerId of selectPreemptible(endpoint, endpoint.id, gpus.list(), holderOf, turnIsOver)) {
        const holder = find(workerId);
        if (!holder) continue;
        retire(holder.group, holder.member);
        poke(holder.group.endpointId);
      }
    },
    recheck(group) {
      if (waiting.size === 0 || group.crowding) return;
      for (const { gpus: memberGpus } of group.members.values()) {
        if (memberGpus.length === 0) continue;
        pokeWaiting();
        return;
      }
    },
    changed() {
      for (const [group, crowding] of waiting) {
        crowding.again = true;
        poke(group.endpointId);
      }
    },
  };
}
