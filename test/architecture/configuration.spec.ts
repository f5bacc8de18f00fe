import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bucketSettingsSchema } from '#contract/app/bucket.ts';
import { keepingSchema } from '#contract/app/jobs/keeping.ts';
import { sshSettingsSchema } from '#contract/app/ssh.ts';
import { defaultSettings } from '#contract/local/settings.ts';
import { help, readFlags } from '../../main/hosts/headless/commandLine/flags.ts';
import { read, root, rowsOf, sectionOf } from './documents.ts';

const guide = read('docs/configuration.md');
const rows = (title: string) => rowsOf(sectionOf(guide, title));
const namesIn = (title: string): string[] => rows(title).map(({ name }) => name);

const FOLDERS = ['main', 'preload', 'renderer', 'resources', 'scripts', 'test'];
const sources = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.(?:tsx?|mjs|py)$/.test(entry.name) && !/node_modules/.test(entry.parentPath),
    )
    .map((entry) => join(entry.parentPath, entry.name)),
);
/** Specs beside the code name variables as values of their cases; a spec of a whole program reads its own. */
const readers = sources.filter((path) => !/\.spec\.tsx?$/.test(path) || /[\\/]test[\\/]|simulation\.spec/.test(path));
const VARIABLE = /\bHANGAR_[A-Z][A-Z_]*[A-Z]\b/g;

const leaves = (value: unknown, path = ''): [string, string][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
    ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, path === '' ? key : `${path}.${key}`))
    : [[path, JSON.stringify(value)]];

describe('flags of the headless host', () => {
  const named = namesIn('Command-line flags');

  test('are those of the guide', () => {
    const source = read('main/hosts/headless/commandLine/flags.ts');
    const [, options = ''] = /options: \{\n([^]*?)\n {6}\},/.exec(source) ?? [];
    const inCode = [...options.matchAll(/^\s+'?([a-z-]+)'?: \{ type/gm)].map(([, name]) => `--${name}`);
    expect(inCode.length).toBeGreaterThan(5);
    expect(named.toSorted()).toEqual(inCode.toSorted());
    expect([...help.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag).toSorted()).toEqual(named.toSorted());
  });

  test('are taken as the guide names them', () => {
    const values: Record<string, string> = { '--host': '127.0.0.1', '--stream-answer': 'auto', '--data-dir': 'd' };
    const valueOf = (flag: string): string[] =>
      /port$/.test(flag) ? [flag, '0'] : [flag, ...(values[flag] === undefined ? [] : [values[flag]])];
    for (const flag of named) expect(() => readFlags(valueOf(flag), {}), flag).not.toThrow();
  });
});

test('variables are those that the code reads or sets', () => {
  const inCode = new Set(readers.flatMap((path) => readFileSync(path, 'utf8').match(VARIABLE) ?? []));
  const sections = ['Environment variables', 'Variables that a worker gets', 'Variables of tests and scripts'];
  const inGuide = sections.flatMap(namesIn).filter((name) => name.startsWith('HANGAR_'));
  expect(inGuide.toSorted()).toEqual([...inCode].toSorted());
  const loose = [...new Set(guide.match(VARIABLE) ?? [])].filter((name) => !inGuide.includes(name));
  expect(loose).toEqual([]);
});

test('settings of the engine are those of the contract, with their defaults', () => {
  const documented = rows('Settings of the engine').map(({ name, second }) => [name, second]);
  expect(documented.toSorted()).toEqual(leaves(defaultSettings).toSorted());
});

test('settings of the app are those of its schemas', () => {
  const inCode = [keepingSchema, sshSettingsSchema, bucketSettingsSchema].flatMap(({ shape }) => Object.keys(shape));
  expect(namesIn('Settings of the app').toSorted()).toEqual(inCode.toSorted());
});
