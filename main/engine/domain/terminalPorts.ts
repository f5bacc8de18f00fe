/** What terminals into containers are to the service: sessions that viewers come to and leave. */
import type { TerminalClientMessage, TerminalServerMessage, TerminalSession } from '#contract/terminal.ts';

export interface TerminalSize {
  columns: number;
  rows: number;
}

/** What a terminal leads into. */
export interface TerminalTarget {
  kind: TerminalSession['kind'];
  /** Of the Pod or the worker. */
  id: string;
}

/** Who looks at a terminal. After `ended` nothing is told any more. */
export interface TerminalViewer {
  output(bytes: Uint8Array): void;
  tell(message: TerminalServerMessage): void;
}

/** What a viewer does at a terminal. */
export interface TerminalSeat {
  input(data: string): void;
  resize(size: TerminalSize): void;
  /** Bytes since the terminal began. */
  shown(upTo: number): void;
  /** The terminal goes on. */
  leave(): void;
}

/** All of it rejects with AppError. */
export interface Terminals {
  /** Rejects where no container can be had a terminal into, in words for a person. */
  find(target: TerminalTarget): Promise<void>;
  /** Begins a session, or comes back to one. The viewer is told `attached` and all output from there on before it settles. */
  attach(
    target: TerminalTarget,
    request: Extract<TerminalClientMessage, { type: 'attach' }>,
    viewer: TerminalViewer,
  ): Promise<TerminalSeat & { close(): Promise<void> }>;
  list(): TerminalSession[];
  /** Ends the shell and what it runs. */
  close(id: string): Promise<void>;
  /** Ends all of them. */
  stop(): Promise<void>;
}
