/** Pages whose address names a thing of one account, and whose account is the target: the person may change it there. */
import { useEffect, useState } from 'react';
import { navigate } from './route.ts';
import type { Route } from './routePath.ts';

/**
 * Whether the id in the address was opened while another account was the target. It is then no id of this account: the
 * page shows what it shows without an id. It is one again when the person goes back to that account.
 */
export function useOfFormerTarget(accountId: string, id: string | null): boolean {
  const [opened, setOpened] = useState({ accountId, id });
  if (opened.id !== id) setOpened({ accountId, id });
  return id !== null && opened.id === id && opened.accountId !== accountId;
}

/** Goes to `route` when the target changes while the address names a thing of the former one. */
export function useLeaveFormerTarget(accountId: string, id: string | null, route: Route): void {
  const isOfFormerTarget = useOfFormerTarget(accountId, id);
  useEffect(() => {
    if (isOfFormerTarget) navigate(route, { replace: true });
  });
}
