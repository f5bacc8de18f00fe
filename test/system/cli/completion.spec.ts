/** The completion of each shell, by the shell itself: commands, options, files, and the names of the running Hangar. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logLevels } from '#contract/local/log.ts';
import { skipFor } from '../../support/core/skip.ts';
import { until } from '../../support/core/until.ts';
import { PROGRAM, json, openProgram, serveHangar, whyNoTerminal, type ServedHangar } from './commandLine.ts';

const whyNot = (shell: string): string | null =>
  spawnSync(shell, ['--version']).error === undefined ? null : `${shell} is not installed`;

let served: ServedHangar;
let folder: string;
/** What a shell needs to find `hangar` among its commands, and no settings of whoever runs the tests. */
let env: Record<string, string | undefined>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hangar-completion-'));
  served = await serveHangar();
  const handler = join(folder, 'greet all');
  await mkdir(handler);
  await writeFile(join(handler, 'handler.mjs'), 'export default () => 1;');
  await json(served.dataDir, ['deploy', handler]);
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'hangar'), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`, { mode: 0o755 });
  // The data folder is a word of the command line: the shell itself knows none.
  const none = join(folder, 'none');
  env = { PATH: `${bin}${delimiter}${process.env['PATH']}`, HOME: folder, ZDOTDIR: folder, HANGAR_HOME: none };
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function runScript(shell: string, lines: readonly string[]): Promise<string> {
  const script = join(folder, `complete.${shell}`);
  await writeFile(script, `${lines.join('\n')}\n`);
  const { stdout } = await promisify(execFile)(shell, [script], { env: { ...process.env, ...env }, cwd: folder });
  return stdout;
}

/** What a person asks a shell to complete, and the lines that it then prints. */
type Asked = readonly [command: string, printed: readonly string[]];

/** Printed before the answer to each question. */
const NEXT = '-- next --';

/**
 * Names of a running Hangar that take longer than a shell should wait are left out, and the person asks again. So does
 * this on a slow machine, where some answer may be late each time: it asks again what was not answered.
 */
async function untilPrinted(shell: string, start: string, questions: readonly Asked[]): Promise<void> {
  let open = questions;
  await until(
    `the completions ${JSON.stringify(questions)}`,
    async () => {
      const printed = await runScript(shell, [start, ...open.flatMap(([command]) => [`echo '${NEXT}'`, command])]);
      const [, ...answers] = `\n${printed}`.split(`\n${NEXT}\n`).map((text) => text.split('\n').filter(Boolean));
      const wrong = open.map(([command, wanted], index) => ({ command, wanted, printed: answers[index] ?? [] }));
      const late = wrong.filter((answer) => !isDeepStrictEqual(answer.printed, answer.wanted));
      open = late.map(({ command, wanted }) => [command, wanted]);
      return late;
    },
    (late) => late.length === 0,
  );
}

it('bash completes commands, and the names of the running Hangar', skipFor(whyNot('bash')), async () => {
  const ask = (...words: string[]): string =>
    `COMP_WORDS=(hangar ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _hangar; ` +
    `printf '%s;' "\${COMPREPLY[@]}"; echo`;
  await untilPrinted('bash', 'eval "$(hangar completion bash)"', [
    [ask('end'), ['endpoints;']],
    [ask('--data-dir', served.dataDir, 'run', 'gre'), [String.raw`greet\ all;`]],
    [ask('--data-dir', served.dataDir, 'run', 'greet\\ all', '-a', 'This'), [String.raw`This\ computer;`]],
    // bash breaks words at "=".
    [ask('--data-dir', served.dataDir, 'run', 'greet\\ all', '--account', '=', 'This'), [String.raw`This\ computer;`]],
    [ask('logs', '--level', '='), [logLevels.map((level) => `${level};`).join('')]],
  ]);
});

it(
  'fish completes commands, options, files, and the names of the running Hangar',
  skipFor(whyNot('fish')),
  async () => {
    const hangar = `hangar --data-dir ${served.dataDir}`;
    const ask = (typed: string): string => `complete -C '${typed.replaceAll("'", String.raw`\'`)}'`;
    await untilPrinted('fish', 'hangar completion fish | source', [
      [ask('hangar end'), ['endpoints']],
      [ask('hangar logs --lev'), ['--level']],
      [ask('hangar deploy ./gre'), ['./greet all/']],
      [ask(`${hangar} run gre`), ['greet all']],
      [ask(`${hangar} run 'greet all' -a This`), ['This computer']],
      [ask(`${hangar} run 'greet all' --account=This`), ['--account=This computer']],
      [ask(`${hangar} run 'greet all' --account='This`), ['--account=This computer']],
      [ask('hangar logs --level=w'), ['--level=warn']],
      [ask('hangar run greet --input=./gre'), ['--input=./greet all/']],
      [ask(`${hangar} run nowhere`), []],
    ]);
  },
);

describe('zsh', skipFor(whyNoTerminal() ?? whyNot('zsh')), () => {
  it('completes commands, options, files, and the names of the running Hangar', async () => {
    const lines = ["PROMPT='ready> '", 'autoload -Uz compinit', 'compinit -D -u', 'eval "$(hangar completion zsh)"'];
    await writeFile(join(folder, '.zshrc'), `${lines.join('\n')}\n`);
    // Without colours and movements of the cursor, and wide enough that no line breaks.
    const shell = openProgram(served.dataDir, ['zsh', '-i'], {
      env: { ...env, TERM: 'dumb' },
      cwd: folder,
      columns: 400,
    });
    const beeps = (): number => shell.raw().split('\u0007').length;
    /** Types, presses Tab, and waits for the completed line. A beep says that no name came in time: Tab again. */
    async function completes(typed: string, completed: string): Promise<void> {
      await shell.sees('ready> ');
      let beepsBefore = beeps();
      shell.type(`${typed}\t`);
      await until(`${JSON.stringify(completed)} on the terminal`, shell.text, (shown) => {
        if (shown.replaceAll('\u0007', '').includes(completed)) return true;
        if (beeps() > beepsBefore) {
          beepsBefore = beeps();
          shell.type('\t');
        }
        return false;
      });
      // Ctrl+U empties the line.
      shell.type('\u0015');
    }
    const hangar = `hangar --data-dir ${served.dataDir}`;
    await completes('hangar end', 'hangar endpoints ');
    await completes('hangar logs --lev', 'hangar logs --level ');
    await completes('hangar deploy ./gre', String.raw`hangar deploy ./greet\ all/`);
    await completes(`${hangar} run gre`, String.raw`run greet\ all `);
    await completes(`${hangar} run "gre`, 'run "greet all" ');
    await completes('hangar logs --level=w', 'hangar logs --level=warn ');
    await completes('hangar run greet --input=./gre', String.raw`hangar run greet --input=./greet\ all/`);
    await completes(`${hangar} run "greet all" -a Th`, String.raw`run "greet all" -a This\ computer `);
    shell.type('exit\r');
    expect(await shell.ended()).toMatchObject({ code: 0 });
  });
});
