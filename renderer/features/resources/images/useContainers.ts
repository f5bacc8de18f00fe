/**
 * The container engine on the computer of an account, as its engine sends it while it is shown: a person may start or
 * stop it.
 */
import { useQuery } from '@tanstack/react-query';
import type { Machine } from '#contract/local/machine.ts';
import { useSampleMs } from '../../../client/changes/samples.ts';
import { machineOptions } from '../../../client/machine.ts';

const EVERY_MS = 10_000;

/** Undefined until it is known. */
export function useContainers(accountId: string): Machine['containers'] | undefined {
  const refetchInterval = useSampleMs(accountId, 'machine', EVERY_MS);
  return useQuery({ ...machineOptions(accountId), refetchInterval }).data?.containers;
}
