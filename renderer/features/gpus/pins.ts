/** GPU types that the person pinned, with the price that each had then. */
import * as z from 'zod';
import { asJson, personalSetting, personalSettings } from '../../state/personalSetting.ts';

export const pinnedGpus = personalSetting('gpus.pinned', asJson(z.array(z.string())), []);

const pinnedPriceSchema = z.object({
  /** US dollars an hour for one GPU. */
  perGpu: z.number(),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
export type PinnedPrice = z.infer<typeof pinnedPriceSchema>;

/** By account; in it by GPU type. */
export const pinnedPrices = personalSettings('gpus.pinnedPrices', asJson(z.record(z.string(), pinnedPriceSchema)), {});

/**
 * Pins a GPU type, or takes the pin off. `perGpu`: what it costs now at this account; null: not known, or none is free.
 */
export function togglePin(id: string, accountId: string, perGpu: number | null): void {
  const pinned = pinnedGpus.get();
  const isPinned = pinned.includes(id);
  pinnedGpus.set(isPinned ? pinned.filter((one) => one !== id) : [...pinned, id]);
  const { [id]: _, ...others } = pinnedPrices.get(accountId);
  const prices = isPinned || perGpu === null ? others : { ...others, [id]: { perGpu, at: Date.now() } };
  pinnedPrices.set(accountId, prices);
}
