/** Runs the programs that install packages. */
import { spawn } from 'node:child_process';

/** How long one command may take, in milliseconds. A registry that is not reached fails far sooner. */
const COMMAND_LIMIT_MS = 5 * 60_000;
const REASON_CHARACTERS = 300;
const KEPT_CHARACTERS = 20_000;

export const WINDOWS = process.platform === 'win32';

/** A command that could not be started, failed, or took too long; its message says which and why. */
export class CommandError extends Error {}

export interface CommandPlace {
  /** Variables beside those of this process. */
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Runs a program to its end, and returns what it wrote on standard output; throws a CommandError where it fails. */
export async function runCommand(program: string, args: readonly string[], place: CommandPlace = {}): Promise<string> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: COMMAND_LIMIT_MS,
    killSignal: 'SIGKILL',
    shell: WINDOWS,
    cwd: place.cwd,
    env: { ...process.env, ...place.env },
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-KEPT_CHARACTERS)));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-KEPT_CHARACTERS)));
  await new Promise<void>((resolve, reject) => {
    child.once('error', (error) => reject(new CommandError(`${program} could not be started: ${error.message}`)));
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else if (signal !== null) {
        reject(new CommandError(`${program} was ended after ${COMMAND_LIMIT_MS / 60_000} minutes`));
      } else reject(new CommandError(`${program} ended with ${code}: ${reasonIn(output + errors)}`));
    });
  });
  return output;
}

/** The line that names an error: it says more than the last one, which is often the path of a log. */
function reasonIn(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const reason = lines.find((line) => /error|cannot|not found|refused|forbidden/i.test(line)) ?? lines.at(-1) ?? '';
  return reason.trim().slice(0, REASON_CHARACTERS);
}
