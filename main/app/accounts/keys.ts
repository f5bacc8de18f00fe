/** The public description of a key, without the key. */
import { createHash } from 'node:crypto';
import type { AccountKey } from '#contract/app/account.ts';

/** The last four characters of a shorter key would reveal too much of it. */
const TELLABLE_LENGTH = 16;
const FINGERPRINT_LENGTH = 12;

/** `pairedId`: the id of the key at its engine, where a pairing created it. */
export const describeKey = (
  key: string,
  addedAt: number,
  keptIn: AccountKey['keptIn'],
  pairedId: string | null,
): AccountKey => ({
  fingerprint: createHash('sha256').update(key).digest('hex').slice(0, FINGERPRINT_LENGTH),
  last4: key.length < TELLABLE_LENGTH ? '' : key.slice(-4),
  addedAt,
  keptIn,
  ...(pairedId !== null && { pairedId }),
});
