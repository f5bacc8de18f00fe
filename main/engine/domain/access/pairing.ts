/**
 * Pairing codes: another computer exchanges one for an API key of its own, so that no key is copied by hand. A code
 * works once, expires after `PAIRING_MS`, and is only in memory: a restart of the engine ends all codes.
 */
import { AppError } from '#contract/core/errors.ts';
import {
  PAIRING_MS,
  PAIRING_PREFIX,
  type ApiKeyCreated,
  type PairingCode,
  type PairRequest,
} from '#contract/local/engine.ts';
import { freeKeyName } from '#contract/local/access/keyNames.ts';
import type { Clock, Ids } from '../core/ports.ts';
import type { ApiKeys } from './apiKeys.ts';

/** With 96 random bits, nobody can guess a code in its ten minutes. */
const CODE_BYTES = 12;
/** Valid codes at a time; a further one replaces the oldest. */
export const MOST_CODES = 20;

export interface Pairing {
  invite(): PairingCode;
  /** Creates a key of the scope `all`, with a number behind its name if another key has it. Throws UNAUTHORIZED for a code that is unknown, used or expired. */
  redeem(request: PairRequest): ApiKeyCreated;
}

export function createPairing(keys: Pick<ApiKeys, 'create' | 'list'>, ids: Ids, clock: Clock): Pairing {
  /** The digest of each valid code → when it expires, in milliseconds of `clock.elapsed`. The oldest is first. */
  const codes = new Map<string, number>();

  return {
    invite() {
      const [oldest] = codes.keys();
      if (codes.size >= MOST_CODES && oldest !== undefined) codes.delete(oldest);
      const code = PAIRING_PREFIX + ids.random(CODE_BYTES);
      codes.set(ids.digest(code), clock.elapsed() + PAIRING_MS);
      return { code, expiresAt: new Date(clock.now() + PAIRING_MS).toISOString() };
    },
    redeem({ code, name }) {
      const digest = ids.digest(code);
      const expiresAt = codes.get(digest);
      codes.delete(digest);
      if (expiresAt === undefined || clock.elapsed() >= expiresAt) {
        throw new AppError(
          'UNAUTHORIZED',
          `This pairing code does not work: a code works once, for ${PAIRING_MS / 60_000} minutes. Create another one on the computer that you want to add.`,
        );
      }
      // A computer that is paired again gets another key. In the list, a person tells the two apart by their names.
      const taken = keys.list().map((key) => key.name);
      return keys.create({ name: freeKeyName(name, taken), scope: 'all' });
    },
  };
}
