/**
 * What a terminal shows: its output, interpreted as far as that is needed to tell who comes later what there is to see.
 */
import type { SerializeAddon } from '@xterm/addon-serialize';
import type { Unicode11Addon } from '@xterm/addon-unicode11';
import type { Terminal } from '@xterm/headless';
import { limits } from '#contract/core/limits.ts';
import type { ReplayBuffer } from './replayBuffer.ts';
import { shownOf, wholeLength } from './safeBoundaries.ts';
import { followReports } from './shellReports.ts';
import { snapshotText } from './snapshotText.ts';

export interface Screen {
  /** There is more output. */
  grown(): void;
  /** Whether output that is not interpreted yet is about to be dropped. The source must then wait for `onCaughtUp`. */
  isBehind(): boolean;
  resize(columns: number, rows: number): void;
  /**
   * The screen with its scrollback, as text that draws it on an empty one, as it is at the place `upTo`. The text also
   * reports the title and the folder of the shell.
   */
  snapshot(): Promise<{ text: string; upTo: number }>;
  close(): Promise<void>;
}

/** Output is interpreted in pieces of this size: of a flood of text most is never seen. */
const PIECE_BYTES = 1024 * 1024;
const MOST_BEHIND_BYTES = limits.terminal.storedBytes / 2;

interface Emulator {
  terminal: Terminal;
  serializer: SerializeAddon;
}

interface FollowedEmulator extends Emulator {
  /** What the serializer leaves out: the text that reports the title and the folder again. */
  reports: () => string;
}

export interface ScreenOptions {
  /** The screen has interpreted more of the output. */
  onCaughtUp(): void;
  /**
   * The screen cannot be made or cannot interpret the output. Called once; the screen interprets nothing from then on.
   */
  onFailure(error: unknown): void;
  /** Makes the emulator behind the screen. */
  open?(size: { columns: number; rows: number }): Promise<Emulator>;
}

/** The exports of a package, of which Node loads the CommonJS build as a default, and a bundle has the ES module. */
const exportsOf = <Exports extends object>(loaded: Exports & { default?: Exports }): Exports =>
  loaded.default ?? loaded;

// Loaded on first use: most terminals never need a snapshot.
async function openEmulator({ columns, rows }: { columns: number; rows: number }): Promise<Emulator> {
  const [{ default: headless }, serialize, unicode11] = await Promise.all([
    import('@xterm/headless'),
    import('@xterm/addon-serialize'),
    import('@xterm/addon-unicode11'),
  ]);
  const { scrollback } = limits.terminal;
  const terminal = new headless.Terminal({ cols: columns, rows, scrollback, allowProposedApi: true });
  const serializer = new (exportsOf<{ SerializeAddon: typeof SerializeAddon }>(serialize).SerializeAddon)();
  terminal.loadAddon(serializer);
  // The page counts columns by this version: by another one an emoji would move what follows it in its row.
  terminal.loadAddon(new (exportsOf<{ Unicode11Addon: typeof Unicode11Addon }>(unicode11).Unicode11Addon)());
  terminal.unicode.activeVersion = '11';
  return { terminal, serializer };
}

export function createScreen(
  output: ReplayBuffer,
  size: { columns: number; rows: number },
  { onCaughtUp, onFailure, open = openEmulator }: ScreenOptions,
): Screen {
  const { scrollback } = limits.terminal;
  let { rows } = size;
  /** Up to here output was handed over, and up to here it was interpreted. */
  let taken = 0;
  let done = 0;
  let tail: Promise<unknown> = Promise.resolve();
  let opened: Promise<FollowedEmulator> | null = null;
  let hasFailed = false;

  function fail(error: unknown): void {
    if (hasFailed) return;
    hasFailed = true;
    onFailure(error);
  }

  /** Runs `work` after the work before it. Rejects where the emulator cannot be made, or `work` fails. */
  function inTurn<T>(work: (on: FollowedEmulator) => T | Promise<T>): Promise<T> {
    const result = tail.then(async () => work(await (opened ??= openFollowed())));
    tail = result.catch(fail);
    return result;
  }

  async function openFollowed(): Promise<FollowedEmulator> {
    const emulator = await open(size);
    return { ...emulator, reports: followReports(emulator.terminal) };
  }

  function take(): void {
    if (hasFailed) return;
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
    isBehind: () => !hasFailed && output.end - done > MOST_BEHIND_BYTES,
    resize(columns, newRows) {
      take();
      rows = newRows;
      void inTurn(({ terminal }) => terminal.resize(columns, newRows));
    },
    snapshot() {
      take();
      const upTo = taken;
      return inTurn(({ terminal, serializer, reports }) => ({
        text: reports() + snapshotText(terminal, serializer, scrollback),
        upTo,
      }));
    },
    async close() {
      await tail;
      // A failure to open it was reported to `onFailure`.
      const emulator = await opened?.catch(() => null);
      emulator?.terminal.dispose();
    },
  };
}
