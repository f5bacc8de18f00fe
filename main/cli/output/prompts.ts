/** Questions to the person at the terminal, and texts from standard input. */
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { CommandFailure, exitCodes, usage } from '../failure.ts';

/** Whether there is a person at the terminal. */
export const canAsk = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** All of standard input. */
export const readInput = (): Promise<string> => text(process.stdin);

/** Reads one line from the person. Throws CommandFailure `interrupted` for Ctrl+C and Ctrl+D. */
function askLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    lines.question(question, (answer) => {
      isAnswered = true;
      lines.close();
      resolve(answer);
    });
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => {
      if (isAnswered) return;
      process.stderr.write('\n');
      reject(new CommandFailure(exitCodes.interrupted, ''));
    });
  });
}

/** Asks for a "yes". `yes`: a flag has already answered. Throws CommandFailure for any other answer. */
export async function confirm(question: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!canAsk()) throw usage(`${question} There is no terminal to ask on: add --yes to confirm.`);
  const answer = await askLine(`${question} [y/N] `);
  if (!/^\s*y(es)?\s*$/i.test(answer)) throw new CommandFailure(exitCodes.failed, 'Nothing was done.');
}

const ENTER = /[\r\n]/;
const END = '\u0004';
const INTERRUPT = '\u0003';
const ERASE = /[\u007F\b]/;

/** Reads one line without showing it, and restores the terminal before it settles. */
function askHidden(question: string): Promise<string> {
  const { stdin, stderr } = process;
  // Before the question, because a person may answer at once: outside raw mode, the terminal shows what is typed.
  stdin.setRawMode(true);
  stderr.write(question);
  stdin.setEncoding('utf8');
  stdin.resume();
  return new Promise((resolve, reject) => {
    let typed = '';
    const done = (): void => {
      stdin.off('data', take);
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
    };
    function take(characters: string): void {
      for (const character of characters) {
        if (ENTER.test(character)) {
          done();
          resolve(typed);
          return;
        }
        if (character === INTERRUPT || character === END) {
          done();
          reject(new CommandFailure(exitCodes.interrupted, ''));
          return;
        }
        typed = ERASE.test(character) ? typed.slice(0, -1) : typed + character;
      }
    }
    stdin.on('data', take);
  });
}

/** Reads a secret from a hidden prompt, or from a pipe. Throws CommandFailure `usage` if it is empty. */
export async function readSecret(question: string): Promise<string> {
  const secret = (canAsk() ? await askHidden(question) : await readInput()).trim();
  if (secret === '') throw usage('There was no key on standard input. Pipe it in, or type it at the prompt.');
  return secret;
}
