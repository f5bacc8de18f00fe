/** The crashes of parts of the program, as the app reports them. */
import { create } from 'zustand';
import type { CrashedPart, CrashNotice } from '#contract/app/crash.ts';
import { api } from './transport/orpc.ts';
import { useSubscription } from './transport/subscription.ts';

/** One notice for each part; empty until the app answers. */
export const useCrashes = create<{ notices: readonly CrashNotice[] }>(() => ({ notices: [] }));

/** Follows the crashes; mounted once. */
export function useCrashFeed(): void {
  useSubscription<CrashNotice[]>({
    key: 'crashes',
    ends: 'never',
    open: (signal) => api.host.crashes.watch(undefined, { signal }),
    onEvent: (notices) => useCrashes.setState({ notices }),
  });
}

export async function dismissCrash(part: CrashedPart): Promise<void> {
  await api.host.crashes.dismiss({ part });
}
