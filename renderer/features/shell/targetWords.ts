/** How an account is doing, in a word and a tone, for whoever chooses where things go. */
import { THIS_MACHINE, type Account, type EngineStatus } from '#contract/app/account.ts';
import { accountLooks } from '../../ui/text/accountLabels.ts';
import { engineWords, type Words } from './engineWords.ts';

/** `connected`: whether the app answers at all. */
export function targetWords(account: Account | null, engine: EngineStatus | null, connected: boolean): Words {
  if (account === null || account.id === THIS_MACHINE || !connected) return engineWords(engine, connected);
  const look = accountLooks[account.state];
  return look.tone === 'ok' && account.kind === 'cloud' ? { ...look, word: 'costs money' } : look;
}
