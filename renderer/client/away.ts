/** What is away now. One banner above every page says so with a remedy; the pages then do not say it again. */
import { THIS_MACHINE, type EngineStatus } from '#contract/app/account.ts';
import { isAway, useTarget } from './accounts.ts';
import { useEngine } from './engine.ts';
import { useConnection } from './transport/orpc.ts';
import { t } from '../language/text.ts';

/** Whether the engine of this computer can be asked nothing now: it does not run, or it hangs. */
export const isEngineAway = ({ state, silentSince }: EngineStatus): boolean =>
  state !== 'ready' || silentSince !== null;

/** Where values come from: an account by its id, the target, or the app itself, which also keeps the jobs. */
export type Source = { readonly accountId: string } | 'target' | 'app';

/**
 * The name of what is away, in the middle of a sentence; null while the source can be asked, and while no banner says
 * that it is away: only that of the target does.
 */
export function useAway(source: Source = 'target'): string | null {
  const isLost = useConnection((status) => status.state === 'lost');
  const engineIsAway = useEngine(({ status }) => status !== null && isEngineAway(status));
  const { accountId, account, name } = useTarget();
  if (isLost) return t`Hangar`;
  if (source === 'app' || (source !== 'target' && source.accountId !== accountId)) return null;
  if (accountId === THIS_MACHINE) return engineIsAway ? t`the engine` : null;
  return account !== null && isAway(account) ? name : null;
}
