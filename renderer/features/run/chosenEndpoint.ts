/** Which endpoint the Run page shows. */
import { useState } from 'react';
import type { EndpointSummary } from '#contract/bridge/index.ts';
import { lastEndpoint } from '../../state/selection.ts';

interface Wanted {
  accountId: string;
  /** Of this account; null for the usual one. */
  endpointId: string | null;
  /** Whether the address still names an endpoint of the account that was the target before. */
  isOfFormerTarget: boolean;
}

/**
 * The endpoint to show. Without an id in the address it is the one that was used last on this account; after a change of
 * the target it is one with the same name, if there is one. Undefined if the account has none with the id.
 */
export function useChosen(list: EndpointSummary[] | undefined, { accountId, endpointId, isOfFormerTarget }: Wanted) {
  const [shownName, setShownName] = useState<string | null>(null);
  const last = lastEndpoint.get(accountId);
  const usual = (): EndpointSummary | undefined =>
    (isOfFormerTarget ? list?.find(({ name }) => name === shownName) : undefined) ??
    list?.find(({ id }) => id === last) ??
    list?.find(({ available }) => available) ??
    list?.[0];
  const chosen = endpointId === null ? usual() : list?.find(({ id }) => id === endpointId);
  if (chosen !== undefined && chosen.name !== shownName) setShownName(chosen.name);
  return chosen;
}
