/** Updates of the desktop program, as its app reports them. In other hosts the status stays null. */
import { create } from 'zustand';
import type { UpdateChannel, UpdatePlan, UpdateStatus } from '#contract/bridge/updates.ts';
import { api } from './transport/orpc.ts';
import { useSubscription } from './transport/subscription.ts';

/** Null until the first status arrives. */
export const useUpdates = create<{ status: UpdateStatus | null }>(() => ({ status: null }));

const keep = (status: UpdateStatus): void => useUpdates.setState({ status });

/** Follows the updates; mounted once. */
export function useUpdatesFeed(): void {
  useSubscription<UpdateStatus>({
    key: window.hangarHost === undefined ? null : 'updates',
    ends: 'never',
    open: (signal) => api.updates.watch(undefined, { signal }),
    onEvent: keep,
  });
}

export const checkForUpdates = async (): Promise<void> => keep(await api.updates.check());
export const chooseUpdate = async (plan: UpdatePlan): Promise<void> => keep(await api.updates.choose({ plan }));
export const chooseUpdateChannel = async (channel: UpdateChannel): Promise<void> =>
  keep(await api.updates.setChannel({ channel }));
