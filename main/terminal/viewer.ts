/** What whoever looks at a terminal is told, and what they do at it. */
import type { TerminalServerMessage } from '#contract/local/terminal.ts';

export interface TerminalSize {
  columns: number;
  rows: number;
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
