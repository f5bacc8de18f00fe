/** Browsers that are paired with this data folder. Only hashes of the two tokens of each are stored. */
import * as z from 'zod';
import type { Clock } from '../platform/clock.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** The hashed tokens of one browser. */
export interface Session {
  /** Hash of the token in its cookie, which the browser sends with every request. */
  readonly hash: string;
  /** Hash of the token that only the page itself has and sends. */
  readonly pageHash: string;
}

export interface Sessions {
  /** The session by the hash of its cookie; null if there is none, or if it is too old. */
  find(hash: string): Session | null;
  add(session: Session): void;
}

const KEY = 'sessions';
const LIFE_MS = 30 * 24 * 60 * 60_000;
/** More browsers than a person has; the oldest session is removed. */
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
