/** Browsers that are paired with this data folder. Only hashes of the two tokens of each are stored. */
import * as z from 'zod';
import type { Clock } from '../platform/clock.ts';
import type { Ledger } from '../ledger/ledger.ts';

const sessionSchema = z.object({
  /** Hash of the token in the browser's cookie, which it sends with every request. */
  hash: z.string(),
  /** Hash of the token that only the page itself has and sends. */
  pageHash: z.string(),
  /** When it was paired, in milliseconds since the epoch. */
  at: z.number(),
  /** Its `User-Agent` then; null if it sent none. */
  program: z.string().nullable().default(null),
});

/** One paired browser, with its hashed tokens. */
export type Session = Readonly<z.infer<typeof sessionSchema>>;

export interface Sessions {
  /** The session by the hash of its cookie; null if there is none, or if it is too old. */
  find(hash: string): Session | null;
  /** Those that are not too old, the oldest first. */
  list(): Session[];
  /** Its 30 days begin now. One with the same hash is replaced. */
  add(session: Omit<Session, 'at'>): void;
  remove(hash: string): void;
}

const KEY = 'sessions';
/** A pairing lasts so long, in milliseconds. */
export const SESSION_MS = 30 * 24 * 60 * 60_000;
/** More browsers than a person has; the oldest session is removed. */
const MOST = 50;

export function createSessions(ledger: Pick<Ledger, 'meta' | 'setMeta'>, clock: Clock): Sessions {
  const alive = () =>
    (ledger.meta(KEY, z.array(sessionSchema)) ?? []).filter(({ at }) => clock.now() - at < SESSION_MS);
  const without = (hash: string) => alive().filter((session) => session.hash !== hash);
  return {
    find: (hash) => alive().find((session) => session.hash === hash) ?? null,
    list: alive,
    add: (session) => ledger.setMeta(KEY, [...without(session.hash), { ...session, at: clock.now() }].slice(-MOST)),
    remove: (hash) => ledger.setMeta(KEY, without(hash)),
  };
}
