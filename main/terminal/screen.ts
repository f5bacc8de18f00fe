/** What a terminal shows: its output, interpreted as far as that is needed to tell who comes later what there is to see. */
import type { SerializeAddon } from '@xterm/addon-serialize';
import type { Terminal } from '@xterm/headless';
import { limits } from '#contract/core/limits.ts';
import type { ReplayBuffer } from './replayBuffer.ts';
import { shownOf, wholeLength } from './safeBoundaries.ts';
import { snapshotText } from './snapshotText.ts';

export interface Screen {
  /** There is more output. */
  grown(): void;
  /** Output that it has not interpreted is about to be dropped: no more must come before `onCaughtUp`. */
  isBehind(): boolean;
  resize(columns: number, rows: number): void;
  /** The screen with its scrollback, as text that draws it on an empty one, as it is at the place `upTo`. */
  snapshot(): Promise<{ text: string; upTo: number }>;
  close(): Promise<void>;
}

/** Output is interpreted in pieces of this size: of a flood of text most is never seen. */
const PIECE_BYTES = 1024 * 1024;
const MOST_BEHIND_BYTES = limits.terminal.keptBytes / 2;

export function createScreen(
  output: ReplayBuffer,
  size: { columns: number; rows: number },
  onCaughtUp: () => void,
): Screen {
  const { scrollback } = limits.terminal;
  let { rows } = size;
  /** Up to here output was handed over, and up to here it was interpreted. */
  let taken = 0;
  let done = 0;
  let tail: Promise<unknown> = Promise.resolve();
  let opened: Promise<{ terminal: Terminal; serializer: SerializeAddon }> | null = null;

  // Loaded on first use: most terminals never need a snapshot.
  async function open(): Promise<{ terminal: Terminal; serializer: SerializeAddon }> {
    const [{ default: headless }, { default: serialize }, { default: unicode11 }] = await Promise.all([
      import('@xterm/headless'),
      import('@xterm/addon-serialize'),
      import('@xterm/addon-unicode11'),
    ]);
    const terminal = new headless.Terminal({ cols: size.columns, rows: size.rows, scrollback, allowProposedApi: true });
    const serializer = new serialize.SerializeAddon();
    terminal.loadAddon(serializer);
    // The page counts columns by this version: by another one an emoji would move what follows it in its row.
    terminal.loadAddon(new unicode11.Unicode11Addon());
    terminal.unicode.activeVersion = '11';
    return { terminal, serializer };
  }

  function inTurn<T>(work: (on: { terminal: Terminal; serializer: SerializeAddon }) => T | Promise<T>): Promise<T> {
    const mine = tail.then(async () => work(await (opened ??= open())));
    tail = mine.catch(() => undefined);
    return mine;
  }

  function take(): void {
    const bytes = Buffer.concat(output.from(taken));
    const whole = bytes.subarray(0, wholeLength(bytes));
    taken += whole.length;
    const upTo = taken;
    const shown = shownOf(whole, scrollback + rows + 1);
    void inTurn(async ({ terminal }) => {
      await new Promise<void>((resolve) => terminal.write(shown, resolve));
      done = upTo;
      onCaughtUp();
    });
  }

  return {
    grown() {
      if (output.end - taken >= PIECE_BYTES) take();
    },
    isBehind: () => output.end - done > MOST_BEHIND_BYTES,
    resize(columns, newRows) {
      take();
      rows = newRows;
      void inTurn(({ terminal }) => terminal.resize(columns, newRows));
    },
    snapshot() {
      take();
      const upTo = taken;
      return inTurn(({ terminal, serializer }) => ({ text: snapshotText(terminal, serializer, scrollback), upTo }));
    },
    async close() {
      await tail;
      const there = await opened;
      there?.terminal.dispose();
    },
  };
}
