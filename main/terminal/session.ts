/**
 * A terminal that lives until its shell ends, with any number of viewers: its output, what each viewer has of it, and
 * its size.
 */
import { AppError, messageOf } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { TerminalServerMessage } from '#contract/local/terminal.ts';
import { createReplayBuffer } from './replayBuffer.ts';
import { createScreen, type ScreenOptions } from './screen.ts';
import type { TerminalSeat, TerminalSize, TerminalViewer } from './viewer.ts';

export interface ShellEnd {
  exitCode: number | null;
  /** A sentence. */
  reason: string;
}

/**
 * What a terminal showed, as text that draws it with its scrollback on an empty screen of this size. A terminal that
 * follows begins in this size, and is then resized as any other.
 */
export interface LastScreen extends TerminalSize {
  text: string;
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
  /**
   * Seats a viewer. `from`: resumes at this byte, counted from the beginning of the session. A viewer of a session that
   * has ended, or whose screen cannot be shown, is sent `ended` with the reason.
   */
  attach(viewer: TerminalViewer, size: TerminalSize, from: number | undefined): Promise<TerminalSeat>;
  /** Sends the message to every viewer. */
  broadcast(message: TerminalServerMessage): void;
  /**
   * Sends `ended` to every viewer and closes the session. Returns what it showed last, if `keepsScreen`, and if that
   * can be read. Never rejects.
   */
  end(end: ShellEnd, keepsScreen: boolean): Promise<LastScreen | null>;
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
  /** Its screen cannot be shown, for `reason`, a sentence. The owner ends the shell and then the session. */
  onBroken(reason: string): void;
  /** Makes the emulator behind its screen. */
  openScreen?: ScreenOptions['open'];
}

/** Throws CONFLICT if there are as many terminals as can be. `terminals`: how many there are. */
export function requireRoom(terminals: number): void {
  const { most } = limits.terminal;
  if (terminals < most) return;
  throw new AppError('CONFLICT', `There are ${most} terminals already, which is as many as can be. Close one first.`);
}

/** The seat of a viewer that was told of the end already. */
export const noSeat: TerminalSeat = {
  input: () => undefined,
  resize: () => undefined,
  shown: () => undefined,
  leave: () => undefined,
};

export function createSession({ id, size, shell, onViewers, onBroken, openScreen }: SessionOptions): Session {
  const { storedBytes, aheadBytes } = limits.terminal;
  const buffer = createReplayBuffer(storedBytes);
  const seats = new Map<TerminalViewer, Seat>();
  const screen = createScreen(buffer, size, {
    onCaughtUp: balance,
    onFailure: breakOff,
    ...(openScreen && { open: openScreen }),
  });
  let { columns, rows } = size;
  let paused = false;
  let ended: ShellEnd | null = null;
  /** Why its screen cannot be shown; null while it can. */
  let problem: string | null = null;

  function breakOff(error: unknown): void {
    problem = `The terminal was closed, because its screen could not be made: ${messageOf(error)}`;
    balance();
    onBroken(problem);
  }

  /** The start of what a viewer is sent; null where the screen cannot be shown. */
  async function startFrom(resumeFrom: number | undefined): Promise<{ text: string | null; upTo: number } | null> {
    const has = resumeFrom !== undefined && resumeFrom >= buffer.start && resumeFrom <= buffer.end;
    if (has) return { text: null, upTo: resumeFrom };
    try {
      return await screen.snapshot();
    } catch {
      // `breakOff` has the reason.
      return null;
    }
  }

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
      const start = await startFrom(resumeFrom);
      if (start === null) {
        viewer.send({ type: 'ended', ...(ended ?? { exitCode: null, reason: problem ?? 'The terminal was closed.' }) });
        return noSeat;
      }
      const { text: snapshot, upTo: from } = start;
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
    async end(end, keepsScreen) {
      ended = end;
      for (const viewer of seats.keys()) viewer.send({ type: 'ended', ...end });
      seats.clear();
      const last = keepsScreen && problem === null ? await screen.snapshot().catch(() => null) : null;
      await screen.close();
      return last === null ? null : { text: last.text, columns, rows };
    },
  };
}
