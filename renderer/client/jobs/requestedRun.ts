/** A run that another part of the page asks for. The Run page sends the input of the endpoint once it is known. */
import { create } from 'zustand';
import { draftKey } from '../../state/drafts.ts';
import { navigate, useRoute } from '../../state/route.ts';
import { shownEntry } from '../../state/selection.ts';

/** `key`: the draft key of the endpoint; null for none. */
export const useRequestedRun = create<{ key: string | null }>(() => ({ key: null }));

/** Nothing runs later for a person who has gone to another page. */
useRoute.subscribe(({ page }) => page !== 'run' && dropRequestedRun());

export const dropRequestedRun = (): void => useRequestedRun.setState({ key: null });

/** Opens the Run page, which runs the endpoint with its current input. An earlier result is not shown any more. */
export function requestRun(accountId: string, endpointId: string): void {
  const key = draftKey(accountId, endpointId);
  shownEntry.set(key, null);
  navigate({ page: 'run', endpointId });
  useRequestedRun.setState({ key });
}
