/** Runs a vendor tool once, and explains a failure to a person. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { inherited } from '../process/envAllowlist.ts';
import { ANSWER_TIMEOUT_MS } from './sampler.ts';

export type Answer = { readonly text: string } | { readonly failure: string };

const LONGEST_BYTES = 8 * 2 ** 20;

/** The first line of `text` that is not blank; undefined without one. */
export const firstLine = (text: string): string | undefined =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .find((line) => line !== '');

export function ask(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve) => {
    const options = { timeout: ANSWER_TIMEOUT_MS, maxBuffer: LONGEST_BYTES, windowsHide: true, signal };
    execFile(program, [...args], { ...options, env: inherited(env) }, (error, stdout, stderr) => {
      if (!error) return resolve({ text: stdout });
      const name = path.basename(program);
      const reason = error.killed
        ? `did not answer within ${ANSWER_TIMEOUT_MS / 1000} s`
        : (firstLine(`${stderr}\n${stdout}`) ?? error.message);
      resolve({ failure: `${name}: ${reason}` });
    });
  });
}
