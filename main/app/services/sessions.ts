/** Browsers that were paired with this data folder; only hashes of the two tokens of each are kept. */
import * as z from 'zod';
import type { Clock } from '../platform/clock.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** What one browser was given, as hashes. */
export interface Session {
  /** Of the token in its cookie, which it sends with every request. */
  readonly hash: string;
  /** Of the token that only the page itself holds and sends. */
  readonly pageHash: string;
}

export interface Sessions {
  /** By the hash of its cookie; null where there is none, or it is too old. */
  find(hash: string): Session | null;
  add(session: Session): void;
}

const KEY = 'sessions';
const LIFE_MS = 30 * 24 * 60 * 60_000;
/** More browsers than a person has; the oldest gives way. */
const MOST = 50;
const sessionsSchema = z.array(z.object({ hash: z.string(), pageHash: z.string(), at: z.number() }));

export function createSessions(ledger: Pick<Ledger, 'meta' | 'setMeta'>, clock: Clock): Sessions {
  const alive = () => (ledger.meta(KEY, sessionsSchema) ?? []).filter(({ at }) => clock.now() - at < LIFE_MS);
  return {
    find: (hash) => alive().find((session) => session.hash === hash) ?? null,
    add({ hash, pageHash }) {
      ledger.setMeta(KEY, [...alive(), { hash, pageHash, at: clock.now() }].slice(-MOST));
    },
  };
}
