/** Labels of the health and the capabilities of an account. */
import type { Account, AccountCapability, AccountState } from '#contract/app/account.ts';
import { joinSentences } from '../../language/sentences.ts';
import { t } from '../../language/text.ts';

export interface AccountStyle {
  word: string;
  tone: 'ok' | 'wait' | 'bad' | 'off';
}

export const accountStyles: Record<AccountState, AccountStyle> = {
  ok: { word: t`works`, tone: 'ok' },
  unknown: { word: t`not asked yet`, tone: 'off' },
  offline: { word: t`offline`, tone: 'bad' },
  refused: { word: t`key refused`, tone: 'bad' },
  slowed: { word: t`slowed down`, tone: 'wait' },
  'no-key': { word: t`no key`, tone: 'bad' },
  locked: { word: t`keys are locked`, tone: 'wait' },
};

export const capabilityWords: Record<AccountCapability, string> = {
  jobs: t`Jobs`,
  management: t`Endpoints`,
  graphql: 'GraphQL',
  billing: t`Billing`,
  logs: t`Logs`,
  workers: t`Workers`,
  pods: t`Pods`,
  terminals: t`Terminals`,
  local: t`Its computer`,
};

const SECOND_MS = 1000;

/** "retrying in 8 s"; null if the time is not known. */
export function retryWords({ nextTryAt }: Pick<Account, 'nextTryAt'>, now: number): string | null {
  if (nextTryAt === null) return null;
  const left = Math.ceil((nextTryAt - now) / SECOND_MS);
  return left <= 0 ? t`Trying again now.` : t`Next try in ${left} s.`;
}

/** Why a connection could not be made, by the system's error code. */
const connectionWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: t`Nothing answers at its address.`,
  ENOTFOUND: t`Its address was not found. Is this computer online?`,
  EAI_AGAIN: t`Its address was not found. Is this computer online?`,
  EHOSTUNREACH: t`Its machine cannot be reached. Is this computer online?`,
  ENETUNREACH: t`Its machine cannot be reached. Is this computer online?`,
  UND_ERR_CONNECT_TIMEOUT: t`Its machine did not answer in time.`,
};

/** Why a service refuses a key that was just typed, and what to do. */
export const refusedKeyWords = (kind: Account['kind']): string =>
  kind === 'engine'
    ? t`The other computer refused this key. It may be mistyped, deleted or disabled there, or a key of a different computer. Copy it again, or create a key there: Settings, Keys, "New key".`
    : t`The service refused this key. It may be mistyped, deleted or disabled there, or a key of a different service. Copy it again, or create another one there.`;

/** For an address that turns out to be that of the engine of this computer. */
export const OWN_ADDRESS = t`This is the address of this computer, which needs no account. Enter the address of another computer.`;

/**
 * Why nothing answered at an address that was just typed, and what to do. `reason`: as the app says it; only a failed
 * connection needs advice.
 */
export function addressWords(kind: Account['kind'], reason: string | null): string {
  const words = reasonWords({ reason });
  if (words === reason) return words ?? t`It did not answer.`;
  const advice =
    kind === 'engine'
      ? t`Check the address and its port, and that Hangar runs there. Another computer reaches it through an SSH tunnel, or if Hangar there listens for other computers: Settings, Keys says there how.`
      : t`Check the address.`;
  return joinSentences(words, advice);
}

/** An older engine says only that its key is unknown "here". */
const REFUSED_BY_ENGINE = t`The other computer refused the key. It was deleted or disabled there, or a different computer answers at the address now. Create a key there, in Settings, Keys, and enter it here.`;

/**
 * Why the account does not work, below a title that names the account; as the app says it where there are no other
 * words.
 */
export function reasonWords({ reason, state, kind }: Pick<Account, 'reason'> & Partial<Account>): string | null {
  if (state === 'refused' && kind === 'engine') return REFUSED_BY_ENGINE;
  const code = /^Cannot reach .* \((\w+)\)\.$/.exec(reason ?? '')?.[1] ?? '';
  const words = connectionWords[code] ?? reason;
  // What a service answered is rarely a sentence.
  return words === null || /^\p{L}.*[.!?]$/su.test(words) ? words : t`It answered: "${words}".`;
}
