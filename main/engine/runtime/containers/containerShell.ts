/** A shell in a container that runs, at the end of a terminal. */
import type { Duplex, Readable } from 'node:stream';
import type { Container, Exec } from 'dockerode';
import { AppError } from '#contract/errors.ts';

export interface ShellSize {
  columns: number;
  rows: number;
}

export interface ContainerShell {
  /** What it prints, from when it is resumed. Whoever pauses it holds back what runs in it; who does not read it is not told its end. */
  readonly output: Readable;
  write(data: string): void;
  resize(size: ShellSize): Promise<void>;
  /** Settles once it has ended, by itself or with its container; null where nobody tells how. */
  readonly exited: Promise<number | null>;
  /** Hangs up, as a terminal that is closed does; what does not end of that is killed. Settles once it has ended. */
  end(): Promise<void>;
}

/** What the start of a shell says to us alone stands between these. */
const MARK = '\x1e';
const NUMBER = /\x1e(\d+)\x1e/;
const READY = /\x1e/;
/** So much is read for them before it is given up. */
const SAID_WITHIN_BYTES = 4096;
const TERMINAL = ['TERM=xterm-256color', 'COLORTERM=truecolor'];

/**
 * Tells its number in the container, waits until its terminal has its size, and becomes what its arguments say, or else the best
 * shell of the image.
 */
const BEGIN = `printf '${MARK}%s${MARK}' $$
read -r _
printf '${MARK}'
if [ $# -gt 0 ]; then exec "$@"; fi
if command -v bash > /dev/null; then exec bash; fi
exec sh`;

/** A container engine lets a program run on whose terminal has gone, so it is told from within. What was started with nohup goes on. */
const HANG_UP = `kill -HUP $1 2> /dev/null
for wait in 1 2 3 4 5 6 7 8 9 10; do kill -0 $1 2> /dev/null || exit 0; sleep 0.2; done
kill -KILL $1`;

/** Reads up to what is looked for, and puts back what comes after it; answers what was said instead where it does not come. */
function readUpTo(stream: Duplex, wanted: RegExp): Promise<RegExpExecArray | string> {
  return new Promise((resolve) => {
    let said = '';
    const settle = (found: RegExpExecArray | string): void => {
      stream.off('data', take).off('close', ended).off('end', ended).pause();
      resolve(found);
    };
    const take = (data: Buffer): void => {
      said += data.toString('latin1');
      const found = wanted.exec(said);
      if (!found && said.length > SAID_WITHIN_BYTES) settle(said);
      if (!found) return;
      settle(found);
      const rest = said.slice(found.index + found[0].length);
      if (rest !== '') stream.unshift(Buffer.from(rest, 'latin1'));
    };
    const ended = (): void => settle(said);
    stream.on('data', take).on('close', ended).on('end', ended).resume();
  });
}

async function codeOf(exec: Exec): Promise<number | null> {
  const facts = await exec.inspect().catch(() => null);
  return facts?.ExitCode ?? null;
}

/** `command`: what to run instead of the image's shell. BAD_REQUEST where the image has no shell to start it with. */
export async function openContainerShell(
  container: Container,
  size: ShellSize,
  command: readonly string[] = [],
): Promise<ContainerShell> {
  const attached = { AttachStdin: true, AttachStdout: true, AttachStderr: true, Tty: true };
  const Cmd = ['/bin/sh', '-c', BEGIN, 'sh', ...command];
  const exec = await container.exec({ ...attached, Cmd, Env: TERMINAL });
  const stream = await exec.start({ hijack: true, stdin: true, Tty: true });
  stream.on('error', () => stream.destroy());
  // Nobody listens at the other side any more.
  stream.once('end', () => stream.destroy());
  const resize = async ({ columns: w, rows: h }: ShellSize): Promise<void> => {
    // One that is just ending has no size any more.
    await exec.resize({ w, h }).catch(() => undefined);
  };
  const told = await readUpTo(stream, NUMBER);
  if (typeof told === 'string') {
    stream.destroy();
    const said = told.trim().split('\n').at(-1) ?? '';
    throw new AppError(
      'BAD_REQUEST',
      `No shell can be started in the container: ${said || 'its image may have none'}.`,
    );
  }
  const number = told[1]!;
  await resize(size);
  stream.write('\n');
  await readUpTo(stream, READY);
  const exited = new Promise<number | null>((resolve) => {
    stream.once('close', () => resolve(codeOf(exec)));
  });

  return {
    output: stream,
    write: (data) => void stream.write(data),
    resize,
    exited,
    async end() {
      const hangUp = await container.exec({ Cmd: ['/bin/sh', '-c', HANG_UP, 'sh', number] }).catch(() => null);
      const answer = await hangUp?.start({ Detach: true }).catch(() => null);
      answer?.resume();
      stream.resume();
      await exited;
    },
  };
}
