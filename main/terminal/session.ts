/** A terminal that lives until its shell ends, however many look at it: what it has put out, who has seen how much, and its size. */
import { limits } from '#contract/core/limits.ts';
import type { TerminalServerMessage } from '#contract/local/terminal.ts';
import { createKeptOutput } from './replayBuffer.ts';
import { createScreen } from './screen.ts';
import type { TerminalSeat, TerminalSize, TerminalViewer } from './viewer.ts';

export interface ShellEnd {
  exitCode: number | null;
  /** A sentence. */
  reason: string;
}

/** What runs at a terminal. */
export interface Shell {
  readonly command: readonly string[];
  write(data: string): void;
  resize(columns: number, rows: number): void;
  /** While it is held, its output stays where it runs, and it waits once that is full. */
  hold(held: boolean): void;
}

export interface Session {
  readonly viewers: number;
  /** As it is put out. */
  output(bytes: Uint8Array): void;
  /** Rejects with what has ended it, where it ends meanwhile. */
  attach(viewer: TerminalViewer, size: TerminalSize, from: number | undefined): Promise<TerminalSeat>;
  /** To every viewer. */
  tell(message: TerminalServerMessage): void;
  /** Tells every viewer why nothing follows. */
  end(end: ShellEnd): Promise<void>;
}

interface Seat {
  sent: number;
  shown: number;
}

export interface SessionOptions {
  id: string;
  size: TerminalSize;
  shell(): Shell;
  /** Somebody came or went. */
  onViewers(): void;
}

export function createSession({ id, size, shell, onViewers }: SessionOptions): Session {
  const { keptBytes, aheadBytes } = limits.terminal;
  const kept = createKeptOutput(keptBytes);
  const seats = new Map<TerminalViewer, Seat>();
  const screen = createScreen(kept, size, balance);
  let { columns, rows } = size;
  let held = false;
  let ended: ShellEnd | null = null;

  /** The slowest viewer holds the shell back, and so does the screen. */
  function balance(): void {
    const ahead = [...seats.values()].some(({ sent, shown }) => sent - shown > aheadBytes);
    const hold = ahead || screen.isBehind();
    if (hold === held || ended) return;
    held = hold;
    shell().hold(hold);
  }

  function resize(by: TerminalViewer, to: TerminalSize): void {
    if (ended || (to.columns === columns && to.rows === rows)) return;
    ({ columns, rows } = to);
    shell().resize(columns, rows);
    screen.resize(columns, rows);
    for (const viewer of seats.keys()) if (viewer !== by) viewer.tell({ type: 'resized', columns, rows });
  }

  return {
    get viewers() {
      return seats.size;
    },
    output(bytes) {
      kept.add(bytes);
      screen.grown();
      for (const [viewer, seat] of seats) {
        seat.sent = kept.end;
        viewer.output(bytes);
      }
      balance();
    },
    async attach(viewer, wanted, asked) {
      resize(viewer, wanted);
      const has = asked !== undefined && asked >= kept.start && asked <= kept.end;
      const { text: snapshot, upTo: from } = has ? { text: null, upTo: asked } : await screen.snapshot();
      viewer.tell({ type: 'attached', session: id, from, snapshot, columns, rows, command: [...shell().command] });
      for (const bytes of kept.from(from)) viewer.output(bytes);
      const seat = { sent: kept.end, shown: from };
      if (ended) viewer.tell({ type: 'ended', ...ended });
      else seats.set(viewer, seat);
      balance();
      onViewers();
      return {
        input: (data) => shell().write(data),
        resize: (to) => resize(viewer, to),
        shown(upTo) {
          seat.shown = Math.max(seat.shown, Math.min(upTo, seat.sent));
          balance();
        },
        leave() {
          if (!seats.delete(viewer)) return;
          balance();
          onViewers();
        },
      };
    },
    tell(message) {
      for (const viewer of seats.keys()) viewer.tell(message);
    },
    async end(end) {
      ended = end;
      for (const viewer of seats.keys()) viewer.tell({ type: 'ended', ...end });
      seats.clear();
      await screen.close();
    },
  };
}
