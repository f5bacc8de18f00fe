/**
 * The person's terminal during a remote session: it forwards every key unchanged, and is restored at every kind of end.
 */
import { PLAIN_AGAIN } from '../../terminal/resetSequence.ts';

/** The usual default size for a stream that is no terminal. */
const USUAL = { columns: 80, rows: 24 };
const MOST_CELLS = 1000;

const cells = (count: number | undefined, usual: number): number => Math.min(count || usual, MOST_CELLS);

export interface LocalTerminal {
  readonly size: { columns: number; rows: number };
  /** Forwards keys to `onKeys` from now on. Does nothing if standard input is no terminal. */
  open(onKeys: (text: string) => void): void;
  /** Restores the terminal for a while, for example for a question. */
  close(): void;
  /** `shown` is called after the output was passed to the screen. */
  write(bytes: Uint8Array, shown: () => void): void;
  onResize(listener: () => void): void;
  /** Restores the terminal permanently, and resets all changes of programs. */
  stop(): void;
}

export function createLocalTerminal(): LocalTerminal {
  const { stdin, stdout } = process;
  let keys: ((text: string) => void) | null = null;
  let hasShown = false;
  let isStopped = false;
  let resized: () => void = () => undefined;
  let carriesReturn = false;

  function close(): void {
    if (keys === null) return;
    stdin.off('data', keys);
    keys = null;
    stdin.setRawMode(false);
    stdin.pause();
  }

  /** Output to a pipe has the line ends of text files, not those of terminals. */
  function plain(bytes: Uint8Array): Buffer {
    const text = (carriesReturn ? '\r' : '') + Buffer.from(bytes).toString('latin1');
    carriesReturn = text.endsWith('\r');
    const whole = carriesReturn ? text.slice(0, -1) : text;
    return Buffer.from(whole.replaceAll('\r\n', '\n'), 'latin1');
  }

  function stop(): void {
    if (isStopped) return;
    isStopped = true;
    close();
    stdout.off('resize', resized);
    process.off('exit', stop);
    if (stdout.isTTY && hasShown) stdout.write(PLAIN_AGAIN);
  }
  process.once('exit', stop);

  return {
    get size() {
      return { columns: cells(stdout.columns, USUAL.columns), rows: cells(stdout.rows, USUAL.rows) };
    },
    open(onKeys) {
      if (keys !== null || isStopped || !stdin.isTTY) return;
      keys = onKeys;
      stdin.setRawMode(true);
      stdin.setEncoding('utf8');
      stdin.on('data', keys);
      stdin.resume();
    },
    close,
    write(bytes, shown) {
      hasShown = true;
      stdout.write(stdout.isTTY ? bytes : plain(bytes), () => shown());
    },
    onResize(listener) {
      resized = listener;
      stdout.on('resize', resized);
    },
    stop,
  };
}
