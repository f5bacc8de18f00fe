/** A run that another part of the page asks for. The Run page sends the input of the endpoint once it is known. */
import { create } from 'zustand';
import { draftKey } from './drafts.ts';
import { navigate, useRoute } from './route.ts';
import { shownEntry } from './selection.ts';

/** `key`: the draft key of the endpoint; null for none. */
export const useAskedRun = create<{ key: string | null }>(() => ({ key: null }));

/** Nothing runs later for a person who has gone to another page. */
useRoute.subscribe(({ page }) => page !== 'run' && forgetAskedRun());

export const forgetAskedRun = (): void => useAskedRun.setState({ key: null });

/** Opens the Run page, which runs the endpoint with its current input. An earlier result is not shown any more. */
export function askRun(accountId: string, endpointId: string): void {
  const key = draftKey(accountId, endpointId);
  shownEntry.set(key, null);
  navigate({ page: 'run', endpointId });
  useAskedRun.setState({ key });
}
