/** What the form of a new Pod shows of the machine: its size, and who uses its GPUs. */
import { useQuery } from '@tanstack/react-query';
import { useSampleMs } from '../../../client/changes/samples.ts';
import { usePollMs } from '../../../client/transport/live.ts';
import { orpc } from '../../../client/transport/orpc.ts';
import type { MachineGpus } from './gpuState.ts';
import { sizeOf, type MachineSize } from './machineSize.ts';

export interface MachineParts {
  /** Null until it is known, and for an account that does not report its GPUs. */
  gpus: MachineGpus | null;
  /** Null until it is known, and for an account that does not report it. */
  size: MachineSize | null;
  /** Whether the machine was not told of yet, and is asked for. */
  isLoading: boolean;
}

/** Without an answer the form shows less, and works as well. */
export function useMachineParts(accountId: string, enabled: boolean): MachineParts {
  const pollMs = usePollMs();
  const refetchInterval = useSampleMs(accountId, 'machine', enabled ? pollMs : null);
  const asking = { input: { accountId }, enabled, retry: false };
  const { data: machine, isLoading } = useQuery(orpc.machine.get.queryOptions({ ...asking, refetchInterval }));
  const hasWorkers = machine?.gpus.some(({ heldBy }) => heldBy.some((holder) => 'workerId' in holder)) === true;
  const endpoints = useQuery(orpc.endpoints.now.queryOptions({ ...asking, enabled: enabled && hasWorkers }));
  return {
    gpus: machine
      ? {
          gpus: machine.gpus,
          problem: machine.gpuProblem,
          endpointNames: new Map(endpoints.data?.rows.map(({ id, name }) => [id, name])),
        }
      : null,
    size: machine ? sizeOf(machine) : null,
    isLoading,
  };
}
