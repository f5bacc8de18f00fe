/** The computer of the target account: its pause, for the shell and its own page. */
import { queryOptions, skipToken, useMutation, useQuery } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import type { MachineGpu, PauseRequest, PauseState } from '#contract/local/machine.ts';
import { targetAccount } from '../state/selection.ts';
import { useIsPushed, useStatePollMs } from './changes/pushed.ts';
import { useSampleMs } from './changes/samples.ts';
import { useEngine } from './engine.ts';
import { api, errorText, orpc, queryClient } from './transport/orpc.ts';
import { t } from '../language/text.ts';

/** Undefined until the accounts are known. */
export function useHasMachine(): boolean | undefined {
  const accountId = targetAccount.use();
  const accounts = useQuery(orpc.accounts.list.queryOptions());
  return accounts.data?.find(({ id }) => id === accountId)?.capabilities.includes('local');
}

export const machineOptions = (accountId: string) =>
  queryOptions(orpc.machine.get.queryOptions({ input: { accountId } }));

/** GB of 1024³ bytes that the drivers report, by the type of the GPU. The types of an account have whole GB only. */
export type MeasuredMemory = ReadonlyMap<string, number>;

/** Of several GPUs of one type, the smallest counts. */
export function measuredMemory(gpus: readonly Pick<MachineGpu, 'typeId' | 'memoryBytes'>[]): MeasuredMemory {
  const measured = new Map<string, number>();
  for (const { typeId, memoryBytes } of gpus) {
    measured.set(typeId, Math.min(measured.get(typeId) ?? Infinity, memoryBytes / 1024 ** 3));
  }
  return measured;
}

/**
 * Has the engine send what each worker uses while there is a worker; null: not needed. Returns the interval at which
 * the caller has to read the workers itself: none while they arrive.
 */
export function useWorkerSampleMs(accountId: string, everyMs: number | null): number | false {
  const isPushed = useIsPushed(accountId);
  const { data } = useQuery(orpc.machine.workers.queryOptions({ input: { accountId }, enabled: false }));
  // The first worker is a change.
  return useSampleMs(accountId, 'workers', isPushed && data?.length === 0 ? null : everyMs);
}

/** Interval of the polls: rules also start and end a pause. */
const PAUSE_EVERY_MS = 5000;

/** Null until it is known, and if the account has none. */
export function usePause(): PauseState | null {
  const accountId = targetAccount.use();
  const hasMachine = useHasMachine() === true;
  const ready = useEngine((state) => state.status?.state === 'ready');
  const { data } = useQuery(
    orpc.machine.pauseState.queryOptions({
      input: hasMachine && ready ? { accountId } : skipToken,
      refetchInterval: useStatePollMs(accountId, PAUSE_EVERY_MS),
      retry: false,
    }),
  );
  return data ?? null;
}

/** Stores a pause that another request has read, so that every part of the page shows the same. */
export const knowPause = (accountId: string, pause: PauseState): void =>
  void queryClient.setQueryData(orpc.machine.pauseState.queryKey({ input: { accountId } }), pause);

/** Shows the answer immediately, and reads everything else about the machine again. */
function took(accountId: string, pause: PauseState): void {
  knowPause(accountId, pause);
  queryClient.setQueryData(machineOptions(accountId).queryKey, (machine) => machine && { ...machine, pause });
  void queryClient.invalidateQueries({ queryKey: orpc.machine.key() });
}

const failed = (title: string) => (error: unknown) =>
  notifications.show({ title, message: errorText(error), 'data-tone': 'bad' });

/** The actions of the target account, unless `named` is another one. */
export function usePausing(named?: string) {
  const chosen = targetAccount.use();
  const accountId = named ?? chosen;
  const pause = useMutation({
    mutationFn: (request: PauseRequest) => api.machine.pause({ accountId, request }),
    onSuccess: (state) => took(accountId, state),
    onError: failed(t`Not paused`),
  });
  const resume = useMutation({
    mutationFn: () => api.machine.resume({ accountId }),
    onSuccess: (state) => took(accountId, state),
    onError: failed(t`Not resumed`),
  });
  return { pause, resume };
}
