/** The endpoints that wait for a GPU: who has waited longest goes first, and whoever holds one makes room for them. */
import { limits } from '#contract/core/limits.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import type { GpuClaims } from '../../../domain/gpus/claims.ts';
import { selectPreemptible, type Holder } from '../../../domain/gpus/preemption.ts';
import type { Clock } from '../../../domain/core/ports.ts';
import type { Group, Member } from './endpointWorkers.ts';

export interface GpuQueueOptions {
  clock: Clock;
  gpus: GpuClaims;
  find(workerId: string): { group: Group; member: Member } | null;
  retire(group: Group, member: Member): void;
  poke(endpointId: string): void;
  checkIn(group: Group, ms: number): void;
}

export interface GpuQueue {
  /** Whether somebody who has waited longer has not had a try since something changed: then the group waits behind them. */
  mustYield(group: Group, endpoint: Endpoint): boolean;
  /** A GPU could not be had. */
  join(group: Group, endpoint: Endpoint, message: string): void;
  /** It needs none any more, or has what it needs. */
  leave(group: Group): void;
  /** Whoever holds a GPU and does not need it gives it up; whoever always needs it does so in turn. */
  makeRoom(group: Group, endpoint: Endpoint): void;
  /** Workers of the group have changed: what one of them holds may be what somebody waits for. */
  recheck(group: Group): void;
  /** A GPU became free, or came or went: all have another try, the one that has waited longest first. */
  changed(): void;
}

export function createGpuQueue({ clock, gpus, find, retire, poke, checkIn }: GpuQueueOptions): GpuQueue {
  /** The one that has waited longest first. */
  const waiting = new Set<Group>();

  function add(group: Group, endpoint: Endpoint, message: string, again: boolean): void {
    waiting.add(group);
    if (group.crowding) Object.assign(group.crowding, { message, endpoint, again });
    else group.crowding = { message, endpoint, again, since: clock.elapsed() };
  }

  function holderOf(workerId: string): Holder | undefined {
    const worker = find(workerId);
    if (!worker) return undefined;
    const { group, member } = worker;
    const { busy, ready } = group.source.load(member.worker);
    const leaving = member.stopReason !== null || member.retired;
    // Between two jobs a worker is not without work.
    const hasWork = busy > 0 || group.source.demand(group.endpointId).queued > 0;
    return { endpointId: group.endpointId, leaving, ready, busy: hasWork };
  }

  return {
    mustYield(group, endpoint) {
      if (endpoint.computeType === 'CPU' || endpoint.gpuCount === 0) return false;
      for (const other of waiting) {
        if (other === group) return false;
        if (!other.crowding!.again) continue;
        add(group, endpoint, 'Another endpoint has waited longer for a GPU; it goes first.', true);
        return true;
      }
      return false;
    },
    join(group, endpoint, message) {
      add(group, endpoint, message, false);
      for (const other of waiting) if (other.crowding!.again) poke(other.endpointId);
    },
    leave(group) {
      if (!group.crowding) return;
      group.crowding = null;
      waiting.delete(group);
      for (const other of waiting) poke(other.endpointId);
    },
    makeRoom(group, endpoint) {
      if (group.source.demand(endpoint.id).queued === 0) return;
      // Who has a worker gets on: turns are for those that have none.
      const turnMs = group.members.size > 0 ? null : group.crowding!.since + limits.gpuTurnMs - clock.elapsed();
      if (turnMs !== null && turnMs > 0) checkIn(group, turnMs);
      const turnIsOver = turnMs !== null && turnMs <= 0;
      for (const workerId of selectPreemptible(endpoint, endpoint.id, gpus.list(), holderOf, turnIsOver)) {
        const holder = find(workerId)!;
        retire(holder.group, holder.member);
        poke(holder.group.endpointId);
      }
    },
    recheck(group) {
      if (waiting.size === 0 || group.crowding) return;
      for (const { gpus: memberGpus } of group.members.values()) {
        if (memberGpus.length === 0) continue;
        for (const other of waiting) poke(other.endpointId);
        return;
      }
    },
    changed() {
      for (const group of waiting) {
        group.crowding!.again = true;
        poke(group.endpointId);
      }
    },
  };
}
