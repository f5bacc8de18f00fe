/**
 * The container engine on the computer of an account, as its engine sends it while it is shown: a person may start or
 * stop it.
 */
import { useQuery } from '@tanstack/react-query';
import type { Machine } from '#contract/local/machine.ts';
import { useSampleMs } from '../../../client/changes/samples.ts';
import { machineOptions } from '../../../client/machine.ts';

const EVERY_MS = 10_000;

interface Containers {
  /** Undefined until it is known, and where the computer does not answer. */
  containers: Machine['containers'] | undefined;
  /** Whether the first answer has not come yet. */
  isPending: boolean;
}

export function useContainers(accountId: string): Containers {
  const refetchInterval = useSampleMs(accountId, 'machine', EVERY_MS);
  const { data, isPending } = useQuery({ ...machineOptions(accountId), refetchInterval });
  return { containers: data?.containers, isPending };
}
