/** The interface of an account's terminals. An engine opens them over its sockets, or the app over SSH. */
import type { TerminalClientMessage, TerminalSession } from '#contract/local/terminal.ts';
import type { TerminalViewer } from '../../terminal/viewer.ts';

/** Speaks the messages of contract/terminal.ts. */
export interface TerminalConnection {
  /** The first must be `attach`. */
  say(message: TerminalClientMessage): void;
  /** The session goes on. */
  leave(): void;
}

export interface TerminalListener extends TerminalViewer {
  /** Nothing follows. */
  closed(): void;
}

export interface TerminalsApi {
  list(): Promise<TerminalSession[]>;
  close(session: string): Promise<void>;
  /** Open, and nothing said yet. Rejects with AppError where no terminal can be had. */
  connect(
    target: Pick<TerminalSession, 'kind' | 'targetId'>,
    listener: TerminalListener,
    signal: AbortSignal,
  ): Promise<TerminalConnection>;
}
