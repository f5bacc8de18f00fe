/** The two sides of a terminal's viewer: output and messages to it, input from it. */
import type { TerminalServerMessage } from '#contract/local/terminal.ts';

export interface TerminalSize {
  columns: number;
  rows: number;
}

/** Receives the output and messages of a terminal. Nothing follows `ended`. */
export interface TerminalViewer {
  output(bytes: Uint8Array): void;
  send(message: TerminalServerMessage): void;
}

/** Carries a viewer's input to the terminal. */
export interface TerminalSeat {
  input(data: string): void;
  resize(size: TerminalSize): void;
  /** Bytes since the terminal began. */
  shown(upTo: number): void;
  /** The terminal goes on. */
  leave(): void;
}
