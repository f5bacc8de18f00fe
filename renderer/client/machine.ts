/** The computer behind the chosen account: whether it is paused, and pausing it, for the shell and the page about it. */
import { queryOptions, skipToken, useMutation, useQuery } from '@tanstack/react-query';
import { notifications } from '@mantine/notifications';
import type { PauseRequest, PauseState } from '#contract/local/machine.ts';
import { useSelection } from '../state/selection.ts';
import { useEngine } from './engine.ts';
import { api, errorText, orpc, queryClient } from './transport/orpc.ts';

/** Undefined until the accounts are known. */
export function useHasMachine(): boolean | undefined {
  const accountId = useSelection((selection) => selection.accountId);
  const accounts = useQuery(orpc.accounts.list.queryOptions());
  return accounts.data?.find(({ id }) => id === accountId)?.capabilities.includes('local');
}

export const machineOptions = (accountId: string) =>
  queryOptions(orpc.machine.get.queryOptions({ input: { accountId } }));

/** A pause also comes and goes by its rules. */
const PAUSE_EVERY_MS = 5000;

/** Null until it is known, and where the account does not tell. */
export function usePause(): PauseState | null {
  const accountId = useSelection((selection) => selection.accountId);
  const hasMachine = useHasMachine() === true;
  const ready = useEngine((state) => state.status?.state === 'ready');
  const { data } = useQuery(
    orpc.machine.pauseState.queryOptions({
      input: hasMachine && ready ? { accountId } : skipToken,
      refetchInterval: PAUSE_EVERY_MS,
      retry: false,
    }),
  );
  return data ?? null;
}

/** Told by whoever has just learned it, so that every place shows the same. */
export const knowPause = (accountId: string, pause: PauseState): void =>
  void queryClient.setQueryData(orpc.machine.pauseState.queryKey({ input: { accountId } }), pause);

/** The answer is shown at once; everything else about the machine is asked anew. */
function took(accountId: string, pause: PauseState): void {
  knowPause(accountId, pause);
  queryClient.setQueryData(machineOptions(accountId).queryKey, (machine) => machine && { ...machine, pause });
  void queryClient.invalidateQueries({ queryKey: orpc.machine.key() });
}

const failed = (title: string) => (error: unknown) =>
  notifications.show({ title, message: errorText(error), 'data-tone': 'bad' });

/** Of the chosen account, unless another one is named. */
export function usePausing(named?: string) {
  const chosen = useSelection((selection) => selection.accountId);
  const accountId = named ?? chosen;
  const pause = useMutation({
    mutationFn: (request: PauseRequest) => api.machine.pause({ accountId, request }),
    onSuccess: (state) => took(accountId, state),
    onError: failed('Not paused'),
  });
  const resume = useMutation({
    mutationFn: () => api.machine.resume({ accountId }),
    onSuccess: (state) => took(accountId, state),
    onError: failed('Not resumed'),
  });
  return { pause, resume };
}
