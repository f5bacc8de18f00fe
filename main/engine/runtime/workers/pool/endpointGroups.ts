/** The groups of workers, one for each endpoint. Each has at most one timer. */
import type { Endpoint } from '#contract/api/resources.ts';
import type { WorkSource } from '../../../domain/autoscaling/demand.ts';
import type { Clock } from '../../../domain/core/ports.ts';
import { beginAnew, createGroup, retryGpu, type Group, type Member } from './endpointWorkers.ts';

export interface EndpointGroups {
  /** The group of an endpoint. Creates it where it is missing. A changed endpoint forgets earlier failures. */
  of(endpoint: Endpoint): Group;
  /** Undefined where the endpoint never needed workers. */
  get(endpointId: string): Group | undefined;
  all(): Iterable<Group>;
  /** Null for a worker that has ended, and for workers outside of this engine. */
  find(workerId: string): { group: Group; member: Member } | null;
  members(): { group: Group; member: Member }[];
  /** Pokes the endpoint after `ms` milliseconds at the latest. */
  checkIn(group: Group, ms: number): void;
  remove(group: Group): void;
  /** Cancels all timers. */
  stop(): void;
}

export interface EndpointGroupsOptions {
  clock: Clock;
  /** The source of the demand for workers of this endpoint. */
  sourceOf(endpoint: Endpoint): WorkSource;
  poke(endpointId: string): void;
}

export function createEndpointGroups({ clock, sourceOf, poke }: EndpointGroupsOptions): EndpointGroups {
  const groups = new Map<string, Group>();

  const members = (): { group: Group; member: Member }[] =>
    [...groups.values()].flatMap((group) => [...group.members.values()].map((member) => ({ group, member })));

  return {
    get: (endpointId) => groups.get(endpointId),
    all: () => groups.values(),
    members,
    of(endpoint) {
      let group = groups.get(endpoint.id);
      if (!group) groups.set(endpoint.id, (group = createGroup(endpoint, sourceOf(endpoint))));
      if (group.version !== endpoint.version) beginAnew(group, endpoint.version);
      if (group.crowding && group.crowding.endpoint !== endpoint) {
        group.crowding.endpoint = endpoint;
        group.crowding.again = true;
      }
      if (group.refused && group.refused.endpoint !== endpoint) retryGpu(group);
      return group;
    },
    find(workerId) {
      for (const group of groups.values()) {
        const member = group.members.get(workerId);
        if (member) return { group, member };
      }
      return null;
    },
    checkIn(group, ms) {
      const at = clock.elapsed() + ms;
      if (group.timer) {
        if (group.timer.at <= at) return;
        group.timer.cancel();
      }
      const cancel = clock.after(ms, () => {
        group.timer = null;
        poke(group.endpointId);
      });
      group.timer = { at, cancel };
    },
    remove(group) {
      group.timer?.cancel();
      groups.delete(group.endpointId);
    },
    stop() {
      for (const group of groups.values()) group.timer?.cancel();
    },
  };
}
