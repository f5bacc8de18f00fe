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

async function runScript(shell: string, lines: readonly string[]): Promise<string[]> {
  const script = join(folder, `complete.${shell}`);
  await writeFile(script, `${lines.join('\n')}\n`);
  const { stdout } = await promisify(execFile)(shell, [script], { env: { ...process.env, ...env }, cwd: folder });
  return stdout.trimEnd().split('\n');
}

/**
 * Names of a running Hangar that take longer than a shell should wait are left out, and the person asks again. So does
 * a slow machine.
 */
async function untilPrinted(shell: string, lines: readonly string[], wanted: readonly string[]): Promise<void> {
  await until(
    `the completions ${JSON.stringify(wanted)}`,
    () => runScript(shell, lines),
    (printed) => isDeepStrictEqual(printed, wanted),
  );
}

it('bash completes commands, and the names of the running Hangar', skipFor(whyNot('bash')), async () => {
  const ask = (...words: string[]): string =>
    `COMP_WORDS=(hangar ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _hangar; ` +
    `printf '%s;' "\${COMPREPLY[@]}"; echo`;
  const lines = [
    'eval "$(hangar completion bash)"',
    ask('end'),
    ask('--data-dir', served.dataDir, 'run', 'gre'),
    ask('--data-dir', served.dataDir, 'run', 'greet\\ all', '-a', 'This'),
    // bash breaks words at "=".
    ask('--data-dir', served.dataDir, 'run', 'greet\\ all', '--account', '=', 'This'),
    ask('logs', '--level', '='),
  ];
  await untilPrinted('bash', lines, [
    'endpoints;',
    String.raw`greet\ all;`,
    String.raw`This\ computer;`,
    String.raw`This\ computer;`,
    logLevels.map((level) => `${level};`).join(''),
  ]);
});

it(
  'fish completes commands, options, files, and the names of the running Hangar',
  skipFor(whyNot('fish')),
  async () => {
    const hangar = `hangar --data-dir ${served.dataDir}`;
    const ask = (typed: string): string => `complete -C '${typed.replaceAll("'", String.raw`\'`)}'`;
    const lines = [
      'hangar completion fish | source',
      ask('hangar end'),
      ask('hangar logs --lev'),
      ask('hangar deploy ./gre'),
      ask(`${hangar} run gre`),
      ask(`${hangar} run 'greet all' -a This`),
      ask(`${hangar} run 'greet all' --account=This`),
      ask(`${hangar} run 'greet all' --account='This`),
      ask('hangar logs --level=w'),
      ask('hangar run greet --input=./gre'),
      ask(`${hangar} run nowhere`),
    ];
    await untilPrinted('fish', lines, [
      'endpoints',
      '--level',
      './greet all/',
      'greet all',
      'This computer',
      '--account=This computer',
      '--account=This computer',
      '--level=warn',
      '--input=./greet all/',
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
