/** Rules of completion: what can stand next on the command line. */
import { expect, it } from 'vitest';
import { createProgram } from '../program.ts';
import { candidatesOf, valuePrefix, withoutEquals, type Candidates } from './candidates.ts';

const program = createProgram('1.0.0', () => expect.unreachable());
const after = (...typed: string[]): Candidates => candidatesOf(program, typed);
const names = (kind: string, account: string | null = null) => ({ kind: 'names', names: kind, account });

it.each<[string, string[], unknown]>([
  [
    'a command of a group',
    ['keys', 'cr'],
    { kind: 'words', words: ['list', 'create', 'pair', 'disable', 'enable', 'delete'] },
  ],
  ['an endpoint', ['run', ''], names('endpoint')],
  ['an endpoint of the account that was named', ['run', '-a', 'box', ''], names('endpoint', 'box')],
  ['an account', ['run', 'greet', '--account', ''], names('account')],
  ['an account to test', ['accounts', 'test', ''], names('account')],
  ['a Pod', ['pods', 'stop', ''], names('pod')],
  ['a Pod whose automatic stop is changed', ['pods', 'auto-stop', ''], names('pod')],
  ['a Pod whose limits are changed', ['pods', 'limits', ''], names('pod')],
  ['a Pod behind an option', ['logs', '--pod', ''], names('pod')],
  ['each of several jobs', ['jobs', 'cancel', 'one', ''], names('job')],
  ['an endpoint that limits a key', ['keys', 'create', 'ci', '--endpoint', ''], names('endpoint')],
  ['a file', ['run', 'greet', '--input', ''], { kind: 'files' }],
  ['a folder', ['deploy', ''], { kind: 'files' }],
  ['a file behind "="', ['run', 'greet', '--input=./'], { kind: 'files' }],
  ['an account behind "="', ['run', 'greet', '--account=Th'], names('account')],
  ['nothing behind the "=" of an option without a value', ['run', 'greet', '--json='], { kind: 'words', words: [] }],
  ['a word of another program', ['ssh', 'trainer', '--', 'ca'], { kind: 'files' }],
  ['a choice', ['accounts', 'add', 'box', '-k', ''], { kind: 'words', words: ['runpod', 'addresses', 'engine'] }],
  ['a shell', ['completion', ''], { kind: 'words', words: ['bash', 'zsh', 'fish'] }],
  ['nothing behind the last argument', ['run', 'greet', ''], { kind: 'words', words: [] }],
])('%s', (_name, typed, candidates) => {
  expect(after(...typed)).toEqual(candidates);
});

it('options are those of the command, of what a group does by itself, and of all', () => {
  expect(after('jobs', '--st')).toMatchObject({ words: expect.arrayContaining(['--status', '--json']) as unknown });
  expect(after('-')).toEqual({ kind: 'words', words: expect.not.arrayContaining(['--status']) as unknown });
});

it.each([
  ['--account=This', '--account='],
  ['--input=a=b', '--input='],
  ['--account', ''],
  ['name=value', ''],
])('the word %s has "%s" before its value', (word, prefix) => expect(valuePrefix(word)).toBe(prefix));

it('words that bash has broken at "=" are an option and its value', () => {
  expect(withoutEquals(['run', '--account', '=', 'Th'])).toEqual(['run', '--account', 'Th']);
  expect(withoutEquals(['run', '--account', '='])).toEqual(['run', '--account', '']);
  expect(withoutEquals(['run', '='])).toEqual(['run', '=']);
});
