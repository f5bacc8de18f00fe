/** What is away now. One banner above every page says so with a remedy; the pages then do not say it again. */
import { THIS_MACHINE } from '#contract/app/account.ts';
import { isAway, useTarget } from './accounts.ts';
import { useEngine } from './engine.ts';
import { useConnection } from './transport/orpc.ts';
import { t } from '../language/text.ts';

/** Where values come from: an account by its id, the target, or the app itself, which also keeps the jobs. */
export type Source = { readonly accountId: string } | 'target' | 'app';

/**
 * The name of what is away, in the middle of a sentence; null while the source can be asked, and while no banner says
 * that it is away: only that of the target does.
 */
export function useAway(source: Source = 'target'): string | null {
  const isLost = useConnection((status) => status.state === 'lost');
  const engine = useEngine((state) => state.status?.state ?? 'ready');
  const { accountId, account, name } = useTarget();
  if (isLost) return t`Hangar`;
  if (source === 'app' || (source !== 'target' && source.accountId !== accountId)) return null;
  if (accountId === THIS_MACHINE) return engine === 'ready' ? null : t`the engine`;
  return account !== null && isAway(account) ? name : null;
}
