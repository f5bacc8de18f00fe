/** A program in a running container whose streams are those of another connection, such as a channel of SSH. */
import { once } from 'node:events';
import type { Duplex, Readable, Writable } from 'node:stream';
import type { Container } from 'dockerode';
import { TERMINAL_MARK } from '../../../terminal/programs.ts';
import { takeApart } from '../containers/engine/demux.ts';
import { ask, exitCodeOf } from './exec.ts';

export interface ProgramOptions {
  container: Container;
  /** Marks its processes. Lower-case letters and digits. */
  id: string;
  command: readonly string[];
  /** `NAME=value`. */
  env: readonly string[];
  /** The size of its terminal in cells; null for a program without a terminal. */
  terminal: { columns: number; rows: number } | null;
}

export interface ContainerProgram {
  readonly input: Writable;
  readonly output: Readable;
  /** Null with a terminal, which has one output. */
  readonly errors: Readable | null;
  /** The size of its terminal in cells. Nothing without a terminal. */
  resize(columns: number, rows: number): void;
  /**
   * The exit code, once all output was read; null if it is unknown: the container or the container engine is gone, or
   * the program was hung up. Never rejects.
   */
  readonly ended: Promise<number | null>;
  /**
   * Sends SIGHUP to the program and to the other processes of its session, as the end of a connection does, and stops
   * reading. What runs in a session of its own, or ignores the signal, runs on.
   */
  hangUp(): void;
}

/**
 * Ends a shell with its session. Its parent is process 0, because no process of the container started it. Programs that
 * left the session go on.
 */
const hangUpScript = (id: string): string => `cd /proc || exit 0
s=
for e in $(grep -ls "${TERMINAL_MARK}=${id}" [0-9]*/environ); do
  { read -r l < "\${e%/environ}/stat"; } 2>/dev/null || continue
  set -- \${l##*) }; [ "$2" = 0 ] && s=$4
done
[ -n "$s" ] || exit 0
for p in [0-9]*; do
  { read -r l < "$p/stat"; } 2>/dev/null || continue
  set -- \${l##*) }; [ "$4" = "$s" ] && kill -HUP "$p"
done`;

/** Starts the program. Rejects as the container engine does. */
export async function openProgram(options: ProgramOptions): Promise<ContainerProgram> {
  const { container, id, command, env, terminal } = options;
  const exec = await container.exec({
    Cmd: [...command],
    Env: [`${TERMINAL_MARK}=${id}`, ...env],
    Tty: terminal !== null,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    ...(terminal && { ConsoleSize: [terminal.rows, terminal.columns] }),
  });
  const stream: Duplex = await exec.start({ hijack: true, stdin: true, Tty: terminal !== null });
  stream.on('error', () => stream.destroy());
  const { stdout, stderr } = terminal === null ? takeApart(stream) : { stdout: stream, stderr: null };
  const streams: Readable[] = stderr === null ? [stdout] : [stdout, stderr];
  // A destroyed stream closes without its end.
  const whenRead = streams.map((one) => Promise.race([once(one, 'end'), once(one, 'close')]).catch(() => undefined));
  let isHungUp = false;
  // Two requests may overtake each other, so each waits for the one before. An ended program has no size.
  let resized = Promise.resolve();
  const resize = (columns: number, rows: number): Promise<void> => {
    resized = resized.then(async () => {
      await exec.resize({ w: columns, h: rows }).catch(() => undefined);
    });
    return resized;
  };
  // For container engines that ignore the size at the start. Input waits for it: a first command may ask for the size.
  if (terminal !== null) await resize(terminal.columns, terminal.rows);
  return {
    input: stream,
    output: stdout,
    errors: stderr,
    resize: (columns, rows) => void (terminal !== null && resize(columns, rows)),
    ended: Promise.all(whenRead).then(async () => {
      stream.destroy();
      return isHungUp ? null : exitCodeOf(exec).catch(() => null);
    }),
    hangUp() {
      isHungUp = true;
      for (const one of [stream, ...streams]) one.destroy();
      // A container that is gone, or has no shell, has nothing to hang up.
      void ask(container, ['sh', '-c', hangUpScript(id)]).catch(() => undefined);
    },
  };
}
