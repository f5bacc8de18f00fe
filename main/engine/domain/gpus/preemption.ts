/**
 * Who gives a GPU up when somebody else's work waits for it.
 *
 * A worker without work goes at once, even one that its endpoint's workersMin keeps warm: work that waits outweighs a warm
 * worker. One that has work goes after it once the other endpoint, which has no worker at all, has waited for a turn
 * (`gpuTurnMs` of the limits): so two busy endpoints take turns, and neither loads its model for every job.
 */
import type { MachineGpu } from '#contract/local/machine.ts';
import type { GpuWish } from './claims.ts';

export interface Holder {
  readonly endpointId: string;
  /** On its way out: what it holds becomes free. */
  readonly leaving: boolean;
  readonly ready: boolean;
  /** Has work, or its endpoint has some that it may get. */
  readonly busy: boolean;
}

const same = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** The workers to preempt; none when they would not free enough, or when leaving workers free enough. */
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
  const types = wish.gpuTypeIds.length > 0 ? wish.gpuTypeIds : [...new Set(gpus.map(({ typeId }) => typeId))];
  for (const type of types) {
    const could = gpus
      .filter((gpu) => gpu.enabled && same(gpu.typeId, type))
      // A Pod is a person's own and gives way to nobody.
      .filter(({ shared, heldBy }) => shared || !heldBy.some((holder) => 'podId' in holder))
      .map(({ shared, heldBy }) =>
        shared ? [] : heldBy.flatMap((holder) => ('podId' in holder ? [] : holder.workerId)),
      )
      .filter((workerIds) => workerIds.every((id) => givesWay(holderOf(id))))
      // Those go first whose going ends the least.
      .map((workerIds) => {
        const going = workerIds.filter((id) => holderOf(id)?.leaving === false);
        return { going, cost: going.length + going.filter((id) => holderOf(id)?.busy).length };
      })
      .sort((a, b) => a.cost - b.cost);
    if (could.length >= wish.gpuCount) {
      return [...new Set(could.slice(0, wish.gpuCount).flatMap(({ going }) => going))];
    }
  }
  return [];
}
