/** A shell behind a connection that may come and go. The connection to a shell of this computer is always up. */
import type { TerminalLink } from '#contract/local/terminalLink.ts';
import type { Shell, ShellEnd } from '../../terminal/session.ts';

export interface LinkedShell extends Shell {
  readonly link: TerminalLink;
  /** Whether it was ever connected. */
  readonly wasUp: boolean;
  /** Of a shell of this computer: the folder that it works in; null if that is not known. */
  folder?(): string | null;
  /** Retries now instead of at the next scheduled time. */
  retry(): void;
  /**
   * This computer woke up: retries a lost connection now, and checks one that is up. A refused one waits for a person.
   */
  resumed(): void;
  /**
   * The command lines of what runs in it beside idle shells. Null if that is not known: behind a proxy, which offers one
   * shell only, without a connection, or if the other side cannot tell. Never rejects.
   */
  programs(): Promise<string[] | null>;
  /** Ends the shell and its programs, if they are reachable. Resolves after that. */
  hangUp(): Promise<void>;
  /** Never rejects. */
  readonly ended: Promise<ShellEnd>;
}
