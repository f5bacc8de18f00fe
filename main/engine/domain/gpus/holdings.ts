/** Which worker or Pod holds which GPUs. */
import type { GpuHolder } from './claims.ts';

interface Holding {
  readonly holder: GpuHolder;
  readonly uuids: readonly string[];
}

export const idOf = (holder: GpuHolder): string => ('podId' in holder ? holder.podId : holder.workerId);

export interface Holdings {
  /** The uuids of the GPUs of this worker or Pod; undefined where it has none. */
  uuidsOf(holderId: string): readonly string[] | undefined;
  /** The holders of this GPU, in the order in which they got it. */
  holdersOf(uuid: string): GpuHolder[];
  /** All workers and Pods with GPUs. */
  all(): Holding[];
  set(holder: GpuHolder, uuids: readonly string[]): void;
  /** Returns false where the worker or Pod had none. */
  delete(holderId: string): boolean;
  /**
   * Whether this worker keeps the GPU after the person stops sharing it. The GPU stays with its Pod, or else with its
   * first holder.
   */
  mayStay(uuid: string, workerId: string): boolean;
}

/** `onUse` is called after each change: whether any worker or Pod has a GPU. */
export function createHoldings(onUse: (isUsed: boolean) => void = () => undefined): Holdings {
  /** By the id of the worker or Pod, in the order in which they got their GPUs. */
  const holdings = new Map<string, Holding>();

  const holdersOf = (uuid: string): GpuHolder[] =>
    [...holdings.values()].filter(({ uuids }) => uuids.includes(uuid)).map(({ holder }) => holder);

  return {
    uuidsOf: (holderId) => holdings.get(holderId)?.uuids,
    holdersOf,
    all: () => [...holdings.values()],
    set(holder, uuids) {
      holdings.set(idOf(holder), { holder, uuids });
      onUse(true);
    },
    delete(holderId) {
      const existed = holdings.delete(holderId);
      if (existed) onUse(holdings.size > 0);
      return existed;
    },
    mayStay(uuid, workerId) {
      const holders = holdersOf(uuid);
      const first = holders.find((holder) => 'podId' in holder) ?? holders[0];
      return first !== undefined && idOf(first) === workerId;
    },
  };
}
