/** Browsers that were paired with this data folder; only hashes of their session tokens are kept. */
import * as z from 'zod';
import type { Clock } from './clock.ts';
import type { Ledger } from './ledger/ledger.ts';

export interface Sessions {
  has(hash: string): boolean;
  add(hash: string): void;
}

const KEY = 'sessions';
const LIFE_MS = 30 * 24 * 60 * 60_000;
/** More browsers than a person has; the oldest gives way. */
const MOST = 50;
const sessionsSchema = z.array(z.object({ hash: z.string(), at: z.number() }));

export function createSessions(ledger: Pick<Ledger, 'meta' | 'setMeta'>, clock: Clock): Sessions {
  const alive = () => (ledger.meta(KEY, sessionsSchema) ?? []).filter(({ at }) => clock.now() - at < LIFE_MS);
  return {
    has: (hash) => alive().some((session) => session.hash === hash),
    add(hash) {
      ledger.setMeta(KEY, [...alive(), { hash, at: clock.now() }].slice(-MOST));
    },
  };
}
