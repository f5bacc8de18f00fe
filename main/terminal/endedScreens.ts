/**
 * The last screens of terminals whose shells have ended: in memory, until they are closed or newer ones take their
 * place.
 */
import { PLAIN_AGAIN } from './resetSequence.ts';
import type { LastScreen, Session, ShellEnd } from './session.ts';
import type { TerminalViewer } from './viewer.ts';

/** As many screens are kept, and so many characters of each. */
const MOST = 32;
const LONGEST = 1024 * 1024;

/** A terminal whose shell has ended. */
export interface EndingTerminal<Owner> {
  id: string;
  /** Whose terminal it was. */
  owner: Owner;
  command: readonly string[];
  session: Session;
  /** Whether a person closed it. */
  isClosed: boolean;
}

interface EndedTerminal<Owner> {
  owner: Owner;
  command: readonly string[];
  end: ShellEnd;
  /** Null if there is none. Never rejects. */
  screen: Promise<LastScreen | null>;
}

/** The ended terminals of some owners. */
export interface FormerTerminals {
  /**
   * What an ended terminal has for a viewer that attaches: to its session, whose last screen and end it sends
   * ("shown"), or to a new session that follows it and begins with that screen. Null if it is not kept. Never rejects.
   */
  open(
    request: { session?: string | undefined; follows?: string | undefined },
    viewer: TerminalViewer,
  ): Promise<LastScreen | 'shown' | null>;
  /** Returns whether it was there. */
  forget(id: string | undefined): boolean;
}

export interface EndedScreens<Owner> {
  /**
   * Ends the session of a terminal. `because`: why the program ended it, a sentence; null if it did not. Keeps the last
   * screen of a terminal that ended by itself, unless it is too large; the oldest one makes room for the newest.
   * Resolves once the screen is read. Never rejects.
   */
  end(terminal: EndingTerminal<Owner>, end: ShellEnd, because: string | null): Promise<void>;
  of(isMeant: (owner: Owner) => boolean): FormerTerminals;
  /** Forgets all terminals of which `isMeant` is true. */
  forgetAll(isMeant: (owner: Owner) => boolean): void;
}

const unlessTooLarge = (last: LastScreen | null): LastScreen | null =>
  last !== null && last.text.length <= LONGEST ? last : null;

export function createEndedScreens<Owner>(): EndedScreens<Owner> {
  const all = new Map<string, EndedTerminal<Owner>>();

  function keep(id: string, terminal: EndedTerminal<Owner>): void {
    all.set(id, terminal);
    const [oldest] = all.keys();
    if (all.size > MOST && oldest !== undefined) all.delete(oldest);
  }

  return {
    async end({ id, owner, command, session, isClosed }, end, because) {
      const keepsScreen = because === null && !isClosed;
      const last = session.end(because === null ? end : { exitCode: null, reason: because }, keepsScreen);
      if (keepsScreen) keep(id, { owner, command, end, screen: last.then(unlessTooLarge) });
      await last;
    },
    of(isMeant) {
      const find = (id: string | undefined): EndedTerminal<Owner> | null => {
        const terminal = id === undefined ? undefined : all.get(id);
        return terminal !== undefined && isMeant(terminal.owner) ? terminal : null;
      };
      return {
        async open({ session, follows }, viewer) {
          const former = find(session ?? follows);
          const last = (await former?.screen) ?? null;
          if (former === null || last === null || session === undefined) return last;
          const { text, columns, rows } = last;
          const command = [...former.command];
          viewer.send({ type: 'attached', session, from: 0, snapshot: text, columns, rows, command });
          viewer.send({ type: 'ended', ...former.end });
          return 'shown';
        },
        forget: (id) => id !== undefined && find(id) !== null && all.delete(id),
      };
    },
    forgetAll(isMeant) {
      for (const [id, { owner }] of all) if (isMeant(owner)) all.delete(id);
    },
  };
}

/** The output with which a terminal begins that follows another one: what that one showed, and a new line below. */
export const followingOutput = ({ text }: LastScreen): Buffer => Buffer.from(`${text}${PLAIN_AGAIN}\r\n`);
