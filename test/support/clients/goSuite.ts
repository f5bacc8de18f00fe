/** Runs the end-to-end suite of `runpodctl` against an engine, and reads what became of each of its tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DEADLINE_MS, settles } from '../core/until.ts';
import { runCommand } from './command.ts';
import { goProgram, goTests } from './go.ts';
import type { CallOutcome } from './program.ts';

/** The suite has some ninety tests, and each starts the program. */
const SUITE_MS = 3 * DEADLINE_MS;
/** The suite starts the program that lies here, as Go installs it. */
const PLACE = ['go', 'bin'];

/**
 * `folder`: what `installGo` has made. The suite expects a person who has set the tool up, so `doctor` runs first,
 * which makes an SSH key in a home of its own. A test that skips itself did not pass. `leftOut`: tests that are not
 * run.
 */
export async function runGoSuite(
  folder: string,
  { ADDRESS, KEY }: Readonly<Record<'ADDRESS' | 'KEY', string>>,
  leftOut: readonly string[],
): Promise<CallOutcome[]> {
  const home = await mkdtemp(join(tmpdir(), 'hangar-go-'));
  const env = {
    HOME: home,
    USERPROFILE: home,
    PATH: process.env['PATH'],
    SYSTEMROOT: process.env['SYSTEMROOT'],
    RUNPOD_API_KEY: KEY,
    RUNPOD_API_URL: `${ADDRESS}/v1`,
    RUNPOD_GRAPHQL_URL: `${ADDRESS}/graphql`,
  };
  const program = goProgram(folder, 'runpodctl');
  try {
    await mkdir(join(home, ...PLACE), { recursive: true });
    await copyFile(program, join(home, ...PLACE, basename(program)));
    await runCommand(program, ['doctor'], { env });
    const skip = leftOut.length === 0 ? [] : [`-test.skip=^(${leftOut.join('|')})$`];
    const child = spawn(goTests(folder), ['-test.v', ...skip], {
      cwd: home,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    try {
      await settles('the suite of runpodctl to end', once(child, 'close'), () => output, SUITE_MS);
    } finally {
      child.kill('SIGKILL');
    }
    return outcomesIn(output);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/**
 * A test begins with `=== RUN Name`, and ends with `--- PASS: Name (0.00s)`; those within it are indented or have a
 * slash.
 */
function outcomesIn(output: string): CallOutcome[] {
  return output
    .split(/^=== RUN {3}(?=Test\w+$)/m)
    .slice(1)
    .map((text) => {
      const [call = ''] = text.split('\n');
      return { call, passed: text.includes(`\n--- PASS: ${call} `), detail: text };
    });
}
