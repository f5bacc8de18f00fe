/** The paired browsers, as the page of one of them sees and removes them. */
import { implement } from '@orpc/server';
import { hostContract } from '#contract/bridge/host.ts';
import { SESSION_MS, type Session, type Sessions } from '../../app/compose.ts';

/** The beginning of a hash that names a session, and is no use for anything else. */
const ID_CHARS = 16;
const idOf = ({ hash }: Session): string => hash.slice(0, ID_CHARS);

interface Connections {
  /** The hashes of the sessions that have an open page. */
  openHashes(): ReadonlySet<string>;
  /** Closes the pages of a session. */
  close(hash: string): void;
}

/** `own`: the session of the page that asks. */
export function bindBrowsers(sessions: Pick<Sessions, 'list' | 'remove'>, own: Session, connections: Connections) {
  const procedures = implement(hostContract);
  return {
    browsers: procedures.browsers.handler(() => {
      const open = connections.openHashes();
      return sessions
        .list()
        .map((session) => ({
          id: idOf(session),
          program: session.program,
          pairedAt: session.at,
          until: session.at + SESSION_MS,
          isOpen: open.has(session.hash),
          isThis: session.hash === own.hash,
        }))
        .toReversed();
    }),
    removeBrowser: procedures.removeBrowser.handler(({ input }) => {
      const session = sessions.list().find((one) => idOf(one) === input.id);
      if (session === undefined) return;
      sessions.remove(session.hash);
      connections.close(session.hash);
    }),
  };
}
