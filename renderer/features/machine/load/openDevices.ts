/** Which devices of a computer a person has opened or closed, for each account. */
import * as z from 'zod';
import { asJson, personalSettings } from '../../../state/personalSetting.ts';

/** The key of the processor beside the uuids of the GPUs. */
export const CPU = 'cpu';

const openDevices = personalSettings('machine.open', asJson(z.record(z.string(), z.boolean())), {});

export interface OpenDevices {
  isOpen: (device: string) => boolean;
  toggle: (device: string) => void;
}

/**
 * What a person has not chosen: the only GPU is open, and without a GPU the processor. Several GPUs are closed, so that
 * all of them are seen at once.
 */
export function useOpenDevices(accountId: string, gpuIds: readonly string[]): OpenDevices {
  const chosen = openDevices.use(accountId);
  const [only = CPU] = gpuIds;
  const isOpen = (device: string): boolean => chosen[device] ?? (gpuIds.length < 2 && device === only);
  return {
    isOpen,
    toggle: (device) => void openDevices.set(accountId, { ...chosen, [device]: !isOpen(device) }),
  };
}
