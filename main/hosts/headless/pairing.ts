/**
 * Lets one browser in per pairing link. A link works once, and leaves two tokens behind: one in a cookie, which no script reads, and
 * one that the page keeps in the storage of its own origin and sends itself. Whoever is shown the cookie, such as another server
 * under the same host name, cannot open the page's connection with it.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { SESSION_COOKIE } from '#contract/app/pageSession.ts';
import type { Session, Sessions } from '../../app/compose.ts';

/** The two tokens of a browser that was let in. */
export interface Tokens {
  readonly cookie: string;
  readonly page: string;
}

export interface Pairing {
  /** A new token; the one before it no longer works. */
  invite(): string;
  /** Uses up the token. Answers what the browser is given, or null when the token is wrong or was used. */
  accept(token: string): Tokens | null;
  /** Whether a Cookie header carries a session: enough to be shown the page. */
  knows(cookieHeader: string | undefined): boolean;
  /** Whether the token that the page sent belongs to the session of the same Cookie header: enough to be connected. */
  isPage(cookieHeader: string | undefined, pageToken: string): boolean;
  /** Value of the Set-Cookie header for a session. */
  cookie({ cookie }: Tokens): string;
  /** Value of the Set-Cookie header that ends it. */
  noCookie(): string;
}

const THIRTY_DAYS_S = 30 * 24 * 60 * 60;
const newToken = (): string => randomBytes(24).toString('base64url');
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
const areSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other));

export function createPairing(sessions: Sessions, port: number): Pairing {
  const cookieName = `${SESSION_COOKIE}${port}`;
  let invited: string | null = null;

  const sessionOf = (header: string | undefined): Session | null => {
    for (const pair of header?.split(';') ?? []) {
      const [name, token] = pair.trim().split('=');
      const session = name === cookieName && token !== undefined ? sessions.find(hashOf(token)) : null;
      if (session !== null) return session;
    }
    return null;
  };

  return {
    invite() {
      const token = newToken();
      invited = hashOf(token);
      return token;
    },
    accept(token) {
      if (invited === null || !areSame(invited, hashOf(token))) return null;
      invited = null;
      const tokens = { cookie: newToken(), page: newToken() };
      sessions.add({ hash: hashOf(tokens.cookie), pageHash: hashOf(tokens.page) });
      return tokens;
    },
    knows: (header) => sessionOf(header) !== null,
    isPage(header, pageToken) {
      const session = sessionOf(header);
      return session !== null && areSame(session.pageHash, hashOf(pageToken));
    },
    cookie: ({ cookie }) => `${cookieName}=${cookie}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${THIRTY_DAYS_S}`,
    noCookie: () => `${cookieName}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0`,
  };
}
