/** Programs that are run in a container to their end: what they write, their exit code, and signals to them. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Container, Exec } from 'dockerode';
import { messageOf } from '#contract/core/errors.ts';
import { MOST_ANSWER_BYTES, TERMINAL_MARK } from '../../../terminal/programs.ts';
import { takeApart } from '../containers/engine/demux.ts';
import { isStatus } from '../containers/engine/errorMessages.ts';

/** A container engine may need a moment before it knows the exit of a program, milliseconds. */
export const ASK_AGAIN_MS = 50;
/** How often it is asked. */
export const ASK_TIMES = 20;
const NO_SUCH_PROGRAM = 127;
/** The exit code of a program that could not be started, for example because its container ended just before. */
export const NOT_STARTED = 126;

/** The exit code of a program that has ended; null if the container engine does not know it in time. */
export async function exitCodeOf(exec: Exec): Promise<number | null> {
  for (let times = 0; times < ASK_TIMES; times++) {
    const { Running: running, ExitCode: code } = await exec.inspect();
    if (!running) return code;
    await delay(ASK_AGAIN_MS);
  }
  return null;
}

/** Whether this error of a start means that the container has no such program. */
export const isNoProgram = (error: unknown): boolean =>
  isStatus(error, 400, 500) && /executable file not found|no such file/i.test(messageOf(error));

interface Answer {
  /** Null where it is unknown. */
  code: number | null;
  /** The beginning of the output, up to `MOST_ANSWER_BYTES`. */
  text: string;
}

/** Runs a program to its end. Rejects as the container engine does. */
export async function ask(container: Container, command: string[]): Promise<Answer> {
  try {
    const exec = await container.exec({ Cmd: command, AttachStdout: true, AttachStderr: true });
    const stream = await exec.start({ hijack: true, stdin: false });
    const { stdout, stderr } = takeApart(stream);
    stderr.resume();
    const pieces: Buffer[] = [];
    let length = 0;
    stdout.on('data', (bytes: Buffer) => {
      if (length < MOST_ANSWER_BYTES) pieces.push(bytes);
      length += bytes.length;
    });
    await once(stdout, 'end');
    stream.destroy();
    return { code: await exitCodeOf(exec), text: Buffer.concat(pieces).toString() };
  } catch (error) {
    // Some engines report a missing program this way.
    if (isNoProgram(error)) {
      return { code: NO_SUCH_PROGRAM, text: '' };
    }
    throw error;
  }
}

/** Sends `signal` to all processes of the terminal with this id. */
export const signalAll = (container: Container, id: string, signal: string): Promise<unknown> =>
  ask(container, [
    'sh',
    '-c',
    `for p in /proc/[0-9]*; do grep -q "${TERMINAL_MARK}=${id}" "$p/environ" 2>/dev/null && kill -${signal} "\${p#/proc/}"; done; :`,
  ]);
