/** The state of an account in a word and a tone, in the menu of targets. */
import { THIS_MACHINE, type Account, type EngineStatus } from '#contract/app/account.ts';
import type { ConnectionStatus } from '../../client/transport/connection.ts';
import { accountStyles } from '../../ui/text/accountLabels.ts';
import { engineWords, type Words } from './engineWords.ts';
import { t } from '../../language/text.ts';

/** `connection`: that of the page to the app. */
export function targetWords(
  account: Account | null,
  engine: EngineStatus | null,
  connection: ConnectionStatus['state'],
): Words {
  if (account === null || account.id === THIS_MACHINE || connection !== 'open') return engineWords(engine, connection);
  const label = accountStyles[account.state];
  return label.tone === 'ok' && account.kind === 'cloud' ? { ...label, word: t`costs money` } : label;
}
