/** Runs the scripts of this folder in a container, and reads their answers. */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Container } from 'dockerode';
import { AppError } from '#contract/core/errors.ts';
import { isNoProgram, NOT_STARTED } from '../terminals/exec.ts';
import { openProgram, type ContainerProgram } from '../terminals/program.ts';
import { bare, isConnectionLost, isStatus } from '../containers/engine/errorMessages.ts';

/** The most that an answer may have. The longest is a list of long names. */
const MOST_ANSWER_BYTES = 8 * 1024 * 1024;
/** So much is read of an error message. */
const MOST_MESSAGE_BYTES = 4096;
const NO_SUCH_PROGRAM = 127;

/** A container with an id for the next program that is run in it. */
export interface ScriptPlace {
  container: Container;
  id: string;
}

interface Answer {
  /** Null where it is unknown: the container has ended, or the container engine is gone. */
  code: number | null;
  output: Buffer;
  /** What was written to standard error. */
  errors: string;
}

const noShell = (cause?: unknown): AppError =>
  new AppError(
    'BAD_REQUEST',
    'The image of the Pod has no shell (sh), so the files in its container cannot be listed, read or written. Files on its volume can.',
    cause === undefined ? {} : { cause },
  );

function startFailure(cause: unknown): AppError {
  if (isConnectionLost(cause)) {
    return new AppError(
      'UNAVAILABLE',
      'The container engine stopped answering. Check whether it is running, then try again.',
      {
        cause,
      },
    );
  }
  // The container ended after it was found, or it is paused.
  const message = `No program can be run in the container now: ${bare(cause)}. Try again once it runs.`;
  return new AppError(isStatus(cause, 404, 409) ? 'CONFLICT' : 'INTERNAL', message, { cause });
}

/** Starts a script. Rejects with an AppError: BAD_REQUEST where the image has no `sh`. */
export async function openScript(
  { container, id }: ScriptPlace,
  script: string,
  args: readonly string[],
): Promise<ContainerProgram> {
  try {
    // The messages of programs are English for everybody, and names are bytes.
    const command = ['sh', '-c', script, 'sh', ...args];
    return await openProgram({ container, id, command, env: ['LC_ALL=C'], terminal: null });
  } catch (error) {
    if (isNoProgram(error)) throw noShell(error);
    throw startFailure(error);
  }
}

async function* upTo(output: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of output) {
    bytes += piece.length;
    if (bytes > most) throw new AppError('TOO_LARGE', `The container answered with more than ${most} bytes.`);
    yield piece;
  }
}

/** Collects the beginning of what a stream of a program brings, from now on. */
function beginningOf(stream: Readable | null): () => string {
  const pieces: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (piece: Buffer) => {
    if (bytes < MOST_MESSAGE_BYTES) pieces.push(piece);
    bytes += piece.length;
  });
  return () => Buffer.concat(pieces).subarray(0, MOST_MESSAGE_BYTES).toString().trim();
}

/** Rejects where a program with this exit code and these messages was not started because there is no `sh`. */
function requireShell(code: number | null, messages: string): void {
  const isUnstarted = code === NOT_STARTED || code === NO_SUCH_PROGRAM;
  if (isUnstarted && /\bsh\b.*(not found|no such file)/is.test(messages)) throw noShell();
}

/** Runs a script to its end. */
export async function runScript(place: ScriptPlace, script: string, args: readonly string[]): Promise<Answer> {
  const program = await openScript(place, script, args);
  const errors = beginningOf(program.errors);
  const pieces: Buffer[] = [];
  try {
    for await (const piece of upTo(program.output, MOST_ANSWER_BYTES)) pieces.push(piece);
  } catch (error) {
    program.hangUp();
    throw error;
  }
  const code = await program.ended;
  const output = Buffer.concat(pieces);
  // Some container engines write their own message into the output.
  if (code !== 0) requireShell(code, `${errors()} ${output.subarray(0, MOST_MESSAGE_BYTES).toString()}`);
  return { code, output, errors: errors() };
}

/** Runs a script that reads `body` to its end. `bytes`: how many were passed. Rejects with the error of `body`. */
export async function feedScript(
  place: ScriptPlace,
  script: string,
  args: readonly string[],
  body: AsyncIterable<Uint8Array>,
): Promise<Pick<Answer, 'code' | 'errors'> & { bytes: number }> {
  const program = await openScript(place, script, args);
  const [output, errors] = [beginningOf(program.output), beginningOf(program.errors)];
  let bytes: number;
  try {
    bytes = await feed(program, body);
  } catch (error) {
    program.hangUp();
    throw error;
  }
  const code = await program.ended;
  if (code !== 0) requireShell(code, `${errors()} ${output()}`);
  return { code, errors: errors(), bytes };
}

/**
 * Passes `body` to the input of a program, at the speed at which the program reads it, then ends the input. Stops where
 * the program ends first. Resolves with the number of bytes that were passed.
 */
async function feed(program: ContainerProgram, body: AsyncIterable<Uint8Array>): Promise<number> {
  const { input } = program;
  let hasEnded = false;
  const ended = program.ended.then(() => {
    hasEnded = true;
  });
  let bytes = 0;
  for await (const piece of body) {
    if (hasEnded) return bytes;
    bytes += piece.length;
    if (!input.write(piece)) await Promise.race([once(input, 'drain').catch(() => undefined), ended]);
  }
  input.end();
  return bytes;
}
