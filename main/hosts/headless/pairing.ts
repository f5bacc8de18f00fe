/**
 * Pairs one browser for each link. A link works once, and creates two tokens: one in a cookie, which no script can
 * read, and one that the page stores in its own origin and sends itself. The cookie alone, which other servers under
 * the same host name may receive, cannot open the page's connection.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { SESSION_COOKIE } from '#contract/app/pageSession.ts';
import { SESSION_MS, type Session, type Sessions } from '../../app/compose.ts';

/** The two tokens of a paired browser. */
export interface Tokens {
  readonly cookie: string;
  readonly page: string;
}

export interface Pairing {
  /** Creates a token; the earlier one becomes invalid. `lifeMs`: how long it works; without it, until it is used. */
  invite(lifeMs?: number): string;
  /**
   * Uses up the token. Returns the tokens for the browser; null if the token is wrong or was already used. A browser that
   * is paired already keeps its cookie and its place in the list: it only gets a new token for its pages, and its 30 days
   * begin again. `program` and `cookieHeader`: what the browser sends as `User-Agent` and as `Cookie`.
   */
  accept(token: string, program?: string, cookieHeader?: string): Tokens | null;
  /** The session of a Cookie header, which is enough to get the page; null if it has none. */
  session(cookieHeader: string | undefined): Session | null;
  /** Whether the page's token belongs to the session of the same Cookie header, which is enough to connect. */
  isPage(cookieHeader: string | undefined, pageToken: string): boolean;
  /** Value of the Set-Cookie header for a session. */
  cookie({ cookie }: Tokens): string;
  /** Value of the Set-Cookie header that removes it. */
  noCookie(): string;
}

/** As much as tells a browser; any browser may send more. */
const MOST_PROGRAM_CHARS = 300;
const newToken = (): string => randomBytes(24).toString('base64url');
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
const areSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** `now`: milliseconds since the epoch. */
export function createPairing(
  sessions: Pick<Sessions, 'find' | 'add'>,
  port: number,
  now: () => number = Date.now,
): Pairing {
  const cookieName = `${SESSION_COOKIE}${port}`;
  let invited: { hash: string; until: number } | null = null;

  /** The token of our cookie, and the session that it belongs to. */
  const known = (header: string | undefined): { cookie: string; session: Session } | null => {
    for (const pair of header?.split(';') ?? []) {
      const [name, cookie] = pair.trim().split('=');
      const session = name === cookieName && cookie !== undefined ? sessions.find(hashOf(cookie)) : null;
      if (cookie !== undefined && session !== null) return { cookie, session };
    }
    return null;
  };
  const sessionOf = (header: string | undefined): Session | null => known(header)?.session ?? null;

  return {
    invite(lifeMs = Infinity) {
      const token = newToken();
      invited = { hash: hashOf(token), until: now() + lifeMs };
      return token;
    },
    accept(token, program, cookieHeader) {
      if (invited === null || now() >= invited.until || !areSame(invited.hash, hashOf(token))) return null;
      invited = null;
      const tokens = { cookie: known(cookieHeader)?.cookie ?? newToken(), page: newToken() };
      sessions.add({
        hash: hashOf(tokens.cookie),
        pageHash: hashOf(tokens.page),
        program: program?.slice(0, MOST_PROGRAM_CHARS) ?? null,
      });
      return tokens;
    },
    session: sessionOf,
    isPage(header, pageToken) {
      const session = sessionOf(header);
      return session !== null && areSame(session.pageHash, hashOf(pageToken));
    },
    cookie: ({ cookie }) => `${cookieName}=${cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${SESSION_MS / 1000}`,
    noCookie: () => `${cookieName}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
  };
}
