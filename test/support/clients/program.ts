/** Runs a program that uses a published client, and reads what became of each of its calls. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { DEADLINE_MS, settles } from '../core/until.ts';
import { pythonIn } from './python.ts';

/** What became of one call of a client. */
export interface CallOutcome {
  readonly call: string;
  readonly passed: boolean;
  /** What went wrong; empty where it passed. */
  readonly detail: string;
}

const outcomeSchema = z.object({ call: z.string(), passed: z.boolean(), detail: z.string() });
/** In a new environment, a program compiles its packages when it starts: 10 s alone for the largest. */
const START_MS = 3 * DEADLINE_MS;
const programs = resolve(import.meta.dirname, '../../clients/programs');

/**
 * Starts `test/clients/programs/{name}` on the packages in `folder`, with these variables and nothing of the settings
 * of whoever runs the tests. Each line of its output is one outcome, and each has the shared deadline, the first a
 * longer one: a call that does not end is killed with its program, and those after it are not made.
 */
export async function runProgram(
  name: string,
  folder: string,
  variables: Record<string, string>,
): Promise<CallOutcome[]> {
  const home = await mkdtemp(join(tmpdir(), 'hangar-client-'));
  try {
    // A program finds its packages beside itself.
    await cp(programs, home, { recursive: true });
    const python = name.endsWith('.py');
    if (!python) await symlink(join(folder, 'node_modules'), join(home, 'node_modules'), 'junction');
    const child = spawn(python ? pythonIn(folder) : process.execPath, [join(home, name)], {
      cwd: home,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        USERPROFILE: home,
        SYSTEMROOT: process.env['SYSTEMROOT'],
        DEADLINE_MS: String(DEADLINE_MS),
        ...variables,
      },
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-20_000)));
    const closed = once(child, 'close');
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const outcomes: CallOutcome[] = [];
    const observe = (): string => `${JSON.stringify(outcomes.at(-1))}\n${errors}`;
    let code: unknown;
    try {
      for (;;) {
        const deadlineMs = outcomes.length === 0 ? START_MS : DEADLINE_MS;
        const line = await settles(`the next line of ${name}`, lines.next(), observe, deadlineMs);
        if (line.done) break;
        // A client may write lines of its own.
        if (line.value.startsWith('{"call":')) outcomes.push(outcomeSchema.parse(JSON.parse(line.value)));
      }
      [code] = await settles(`${name} to end`, closed, observe);
    } catch (error) {
      process.stderr.write(`${String(error)}\n`);
      return outcomes;
    } finally {
      child.kill('SIGKILL');
    }
    if (code !== 0) throw new Error(`${name} ended with ${String(code)}:\n${observe()}`);
    return outcomes;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** The same for calls that the test makes itself: what throws did not pass. */
export async function tryCalls(calls: Record<string, () => Promise<unknown>>): Promise<CallOutcome[]> {
  const outcomes: CallOutcome[] = [];
  for (const [call, make] of Object.entries(calls)) {
    try {
      await make();
      outcomes.push({ call, passed: true, detail: '' });
    } catch (error) {
      outcomes.push({ call, passed: false, detail: String(error) });
    }
  }
  return outcomes;
}
