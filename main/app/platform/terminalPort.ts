/** The interface of an account's terminals. An engine opens them over its sockets, or the app over SSH. */
import type { PageTerminal } from '#contract/bridge/terminal.ts';
import type { TerminalClientMessage } from '#contract/local/terminal.ts';
import type { TerminalViewer } from '../../terminal/viewer.ts';

/** Sends and receives the messages of contract/local/terminal.ts. */
export interface TerminalConnection {
  /** The first must be `attach`. */
  say(message: TerminalClientMessage): void;
  /** Leaves the terminal; its session continues. */
  leave(): void;
}

export interface TerminalListener extends TerminalViewer {
  /** Called last; no message follows. */
  closed(): void;
}

export interface TerminalPlace extends Pick<PageTerminal, 'kind' | 'targetId'> {
  /** The session in whose folder a new shell of this computer begins. */
  beside?: string | undefined;
}

export interface TerminalsApi {
  list(): Promise<PageTerminal[]>;
  /**
   * The command lines of what runs in it beside idle shells; null if that is not known. Rejects with NOT_FOUND if the
   * terminal has ended.
   */
  programs(session: string): Promise<string[] | null>;
  /** Of a shell of this computer: the folder in which it works; null if that is not known. */
  folder?(session: string): string | null;
  close(session: string): Promise<void>;
  /** Opens a connection without any message yet. Rejects with AppError if there can be no terminal. */
  connect(target: TerminalPlace, listener: TerminalListener, signal: AbortSignal): Promise<TerminalConnection>;
}
