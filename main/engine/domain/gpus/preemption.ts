/**
 * Chooses the workers that give up a GPU for waiting work of another endpoint.
 *
 * An idle worker gives way at once, even one that its endpoint's workersMin keeps: waiting work is more important than
 * a warm worker. A busy worker gives way after its current work, once the other endpoint, which has no worker, has
 * waited for `gpuTurnMs` of the limits. Two busy endpoints therefore take turns, and neither loads its model for every
 * job.
 */
import type { MachineGpu } from '#contract/local/machine.ts';
import type { GpuWish } from './claims.ts';
import { acceptedTypes, asId } from './machineGpus.ts';

export interface Holder {
  readonly endpointId: string;
  /** It is stopping: its GPUs become free. */
  readonly leaving: boolean;
  readonly ready: boolean;
  /** It has work, or its endpoint has work for it. */
  readonly busy: boolean;
}

/** The workers to preempt; none when they would not free enough GPUs, or when stopping workers free enough. */
export function selectPreemptible(
  wish: GpuWish,
  endpointId: string,
  gpus: readonly MachineGpu[],
  holderOf: (workerId: string) => Holder | undefined,
  turnIsOver: boolean,
): string[] {
  const givesWay = (holder: Holder | undefined): boolean =>
    holder === undefined ||
    holder.leaving ||
    (holder.endpointId !== endpointId && holder.ready && (!holder.busy || turnIsOver));
  for (const type of acceptedTypes(wish, gpus)) {
    const available = gpus
      .filter((gpu) => gpu.enabled && asId(gpu.typeId) === asId(type))
      // A Pod belongs to the person and never gives way.
      .filter(({ shared, heldBy }) => shared || !heldBy.some((holder) => 'podId' in holder))
      .map(({ shared, heldBy }) =>
        shared ? [] : heldBy.flatMap((holder) => ('podId' in holder ? [] : holder.workerId)),
      )
      .filter((workerIds) => workerIds.every((id) => givesWay(holderOf(id))))
      // Preempt the least busy workers first.
      .map((workerIds) => {
        const preempted = workerIds.filter((id) => holderOf(id)?.leaving === false);
        return { preempted, cost: preempted.length + preempted.filter((id) => holderOf(id)?.busy).length };
      })
      .sort((a, b) => a.cost - b.cost);
    if (available.length >= wish.gpuCount) {
      return [...new Set(available.slice(0, wish.gpuCount).flatMap(({ preempted }) => preempted))];
    }
  }
  return [];
}
