/** A terminal that lives until its shell ends, however many look at it: what it has put out, who has seen how much, and its size. */
import { limits } from '#contract/core/limits.ts';
import type { TerminalServerMessage } from '#contract/local/terminal.ts';
import { createReplayBuffer } from './replayBuffer.ts';
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
  /** Pauses or resumes its output. A paused shell blocks once its buffer is full. */
  hold(paused: boolean): void;
}

export interface Session {
  readonly viewers: number;
  /** As it is put out. */
  output(bytes: Uint8Array): void;
  /** `from`: resumes at this byte. Rejects with the reason where the session ends meanwhile. */
  attach(viewer: TerminalViewer, size: TerminalSize, from: number | undefined): Promise<TerminalSeat>;
  /** Sends the message to every viewer. */
  broadcast(message: TerminalServerMessage): void;
  /** Sends `ended` to every viewer and closes the session. */
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
  const buffer = createReplayBuffer(keptBytes);
  const seats = new Map<TerminalViewer, Seat>();
  const screen = createScreen(buffer, size, balance);
  let { columns, rows } = size;
  let paused = false;
  let ended: ShellEnd | null = null;

  /** The slowest viewer holds the shell back, and so does the screen. */
  function balance(): void {
    const ahead = [...seats.values()].some(({ sent, shown }) => sent - shown > aheadBytes);
    const hold = ahead || screen.isBehind();
    if (hold === paused || ended) return;
    paused = hold;
    shell().hold(hold);
  }

  function resize(by: TerminalViewer, to: TerminalSize): void {
    if (ended || (to.columns === columns && to.rows === rows)) return;
    ({ columns, rows } = to);
    shell().resize(columns, rows);
    screen.resize(columns, rows);
    for (const viewer of seats.keys()) if (viewer !== by) viewer.send({ type: 'resized', columns, rows });
  }

  return {
    get viewers() {
      return seats.size;
    },
    output(bytes) {
      buffer.add(bytes);
      screen.grown();
      for (const [viewer, seat] of seats) {
        seat.sent = buffer.end;
        viewer.output(bytes);
      }
      balance();
    },
    async attach(viewer, viewerSize, resumeFrom) {
      resize(viewer, viewerSize);
      const has = resumeFrom !== undefined && resumeFrom >= buffer.start && resumeFrom <= buffer.end;
      const { text: snapshot, upTo: from } = has ? { text: null, upTo: resumeFrom } : await screen.snapshot();
      viewer.send({ type: 'attached', session: id, from, snapshot, columns, rows, command: [...shell().command] });
      for (const bytes of buffer.from(from)) viewer.output(bytes);
      const seat = { sent: buffer.end, shown: from };
      if (ended) viewer.send({ type: 'ended', ...ended });
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
    broadcast(message) {
      for (const viewer of seats.keys()) viewer.send(message);
    },
    async end(end) {
      ended = end;
      for (const viewer of seats.keys()) viewer.send({ type: 'ended', ...end });
      seats.clear();
      await screen.close();
    },
  };
}
