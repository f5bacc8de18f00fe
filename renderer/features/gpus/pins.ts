/** GPU types that the person pinned. */
import * as z from 'zod';
import { asJson, personalSetting } from '../../state/personalSetting.ts';

export const pinnedGpus = personalSetting('gpus.pinned', asJson(z.array(z.string())), []);

export function togglePin(id: string): void {
  const pinned = pinnedGpus.get();
  pinnedGpus.set(pinned.includes(id) ? pinned.filter((one) => one !== id) : [...pinned, id]);
}
