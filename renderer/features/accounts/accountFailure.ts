/** Why an account was refused or could not be tested, and at which field the person reads it. */
import type { AccountPreset, AccountProbe } from '#contract/bridge/account.ts';
import { errorField, errorText, ORPCError } from '../../client/transport/orpc.ts';
import { isLoopbackName } from '#contract/network/hosts.ts';
import { useEngine } from '../../client/engine.ts';
import { addressWords, OWN_ADDRESS, reasonWords, refusedKeyWords } from '../../ui/text/accountLabels.ts';
import { t } from '../../language/text.ts';

/** Why an account was refused. `field`: the field that it is about; null for the whole form. */
export interface AccountFailure {
  field: string | null;
  text: string;
}

type AccountPlace = Pick<AccountPreset, 'kind' | 'fields'>;

/** Whether an address that was typed is that of the engine of this computer. */
export function isOwnAddress(typed: string | null): boolean {
  const own = useEngine.getState().status?.address ?? null;
  if (own === null || typed === null) return false;
  const [here, there] = [own, /^https?:/u.test(typed) ? typed : `http://${typed}`].map((text) => URL.parse(text));
  return here != null && there != null && here.port === there.port && isLoopbackName(there.hostname);
}

const ownAddress = ({ fields }: AccountPlace): AccountFailure => ({
  field: fields[0]?.area ?? null,
  text: OWN_ADDRESS,
});

/** Without a connection, none of the addresses answers: the first one stands for all. */
const unreached = ({ kind, fields }: AccountPlace, reason: string | null): AccountFailure => ({
  field: fields[0]?.area ?? null,
  text: addressWords(kind, reason),
});

/** Why a test failed; null if it did not. `typed`: the first address. */
export function probeFailure(
  place: AccountPlace,
  typed: string | null,
  { state, reason }: AccountProbe,
): AccountFailure | null {
  if (state === 'ok') return null;
  if (state === 'refused' && isOwnAddress(typed)) return ownAddress(place);
  if (state === 'refused') return { field: 'key', text: refusedKeyWords(place.kind) };
  if (state === 'offline') return unreached(place, reason);
  return { field: null, text: reasonWords({ reason }) ?? t`It did not answer.` };
}

/** Why the app refused the account. `typed`: its first address. `isPairing`: the text of the key was a pairing code, whose refusal has own words. */
export function sendFailure(
  place: AccountPlace,
  typed: string | null,
  error: unknown,
  isPairing: boolean,
): AccountFailure {
  const field = errorField(error);
  const text = errorText(error);
  if (field !== null) {
    const label = place.fields.find(({ area }) => area === field)?.label ?? '';
    // The field shows its own label.
    const words = text.startsWith(`${label}: `) ? text.slice(label.length + 2) : text;
    return { field, text: /^https?:/.test(words) ? words : words.slice(0, 1).toLocaleUpperCase() + words.slice(1) };
  }
  if (!(error instanceof ORPCError)) return { field, text };
  if (error.code === 'UNAUTHORIZED' && isOwnAddress(typed)) return ownAddress(place);
  if (error.code === 'UNAUTHORIZED') return { field: 'key', text: isPairing ? text : refusedKeyWords(place.kind) };
  return error.code === 'UNAVAILABLE' ? unreached(place, text) : { field, text };
}
