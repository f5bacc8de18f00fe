/** What a code is that was scanned in place of a pasted link. */
import { readPairingLink } from '#contract/app/pairingLink.ts';
import { pageLinkProblem } from '../accountForm.ts';
import { t } from '../../../language/text.ts';

/** Why a text pairs no computer; null for a pairing link. */
export const scanProblem = (text: string): string | null =>
  readPairingLink(text) === null
    ? (pageLinkProblem(text) ??
      t`This code is not a pairing link. On the other computer, open Settings, Keys, choose "Pair another computer", and scan the code beside the link.`)
    : null;
