/** What counts as running in a terminal, with processes of this machine in the place of those of a container. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { until } from '../../test/support/core/until.ts';
import { needsLinux } from '../../test/support/core/skip.ts';
import { programsOf, programsScript, TERMINAL_MARK } from './programs.ts';

test('an idle shell is no program, a script or a command in a shell is one', () => {
  const answer = [
    '10 -bash ',
    '11 /bin/sh ',
    '12 zsh -i ',
    '13 bash --login ',
    '14 bash train.sh ',
    '15 sh -c sleep 4 ',
    '16 python train.py --epochs 3 ',
    '17 ',
    '18 ssh box ',
    '',
  ];
  expect(programsOf(answer.join('\n'))).toEqual([
    'bash train.sh',
    'sh -c sleep 4',
    'python train.py --epochs 3',
    'ssh box',
  ]);
  expect(programsOf('10 sh \n')).toEqual([]);
});

test('what runs is not known where not even the shell is seen', () => {
  expect(programsOf('')).toBeNull();
  expect(programsOf('sh: grep: not found\n')).toBeNull();
});

test('the script finds the programs of one terminal, also those without its variable', needsLinux, async () => {
  const id = `spec-${process.pid}`;
  const ask = () => programsOf(execFileSync('sh', ['-c', programsScript(id)], { encoding: 'utf8' }));
  expect(ask()).toBeNull();
  const shell = spawn('sh', ['-c', `env -u ${TERMINAL_MARK} sleep 4321 & sleep 4322`], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, [TERMINAL_MARK]: id },
  });
  const ended = once(shell, 'close');
  try {
    const programs = await until('both', ask, (now) => now?.filter((line) => line.startsWith('sleep')).length === 2);
    expect(programs?.filter((line) => line.startsWith('sleep')).toSorted()).toEqual(['sleep 4321', 'sleep 4322']);
  } finally {
    if (shell.pid !== undefined) process.kill(-shell.pid);
    await ended;
  }
});
