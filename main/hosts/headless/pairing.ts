/** Lets one browser in per pairing link: a link works once, and leaves a session cookie behind. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Sessions } from '../../app/compose.ts';

export interface Pairing {
  /** A new token; the one before it no longer works. */
  invite(): string;
  /** Uses up the token. Answers the session's token, or null when the token is wrong or was used. */
  accept(token: string): string | null;
  /** Whether a Cookie header carries a session. */
  knows(cookieHeader: string | undefined): boolean;
  /** Value of the Set-Cookie header for a session token. */
  cookie(session: string): string;
}

const THIRTY_DAYS_S = 30 * 24 * 60 * 60;
const newToken = (): string => randomBytes(24).toString('base64url');
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

export function createPairing(sessions: Sessions, port: number): Pairing {
  // Browsers do not keep the cookies of two ports of one host apart, so the name does.
  const cookieName = `hangar_session_${port}`;
  let invited: string | null = null;

  const tokensOf = (header: string): string[] =>
    header
      .split(';')
      .map((pair) => pair.trim())
      .filter((pair) => pair.startsWith(`${cookieName}=`))
      .map((pair) => pair.slice(cookieName.length + 1));

  return {
    invite() {
      const token = newToken();
      invited = hashOf(token);
      return token;
    },
    accept(token) {
      if (invited === null || !timingSafeEqual(Buffer.from(invited), Buffer.from(hashOf(token)))) return null;
      invited = null;
      const session = newToken();
      sessions.add(hashOf(session));
      return session;
    },
    knows: (header) => header !== undefined && tokensOf(header).some((token) => sessions.has(hashOf(token))),
    cookie: (session) => `${cookieName}=${session}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${THIRTY_DAYS_S}`,
  };
}
