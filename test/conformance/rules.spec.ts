/** Reads the table of rules beside this file: every rule has a test that exists. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod';

const repository = resolve(import.meta.dirname, '../..');
const table = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');

interface Rule {
  readonly id: string;
  readonly words: string;
  readonly file: string;
  readonly tests: readonly string[];
}

/** The rows below the headings of the table; a row with less in it is one with empty cells. */
const rules: Rule[] = table
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\| *(Id|-+) *\|/.test(line))
  .map((line) => {
    const [id = '', words = '', file = '', tests = ''] = line
      .slice(1)
      .split(' |')
      .map((cell) => cell.trim());
    const names = [...tests.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
    return { id, words, file, tests: names };
  });

const listedSchema = z.array(z.object({ name: z.string(), file: z.string() }));

/** Every test there is, as `file: name`, found without running any. */
async function listed(): Promise<Set<string>> {
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  const projects = ['conformance', 'containers', 'system'].flatMap((project) => ['--project', project]);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  const { stdout } = await promisify(execFile)(process.execPath, [vitest, 'list', '--json', ...projects], {
    cwd: repository,
    env,
    maxBuffer: 64 * 1024 * 1024,
  });
  const tests = listedSchema.parse(JSON.parse(stdout.slice(stdout.indexOf('['))));
  const root = join(repository, 'test/').replaceAll('\\', '/');
  return new Set(
    tests.map(({ name, file }) => {
      const path = file.replaceAll('\\', '/');
      expect(path.startsWith(root), path).toBe(true);
      // Names of test.each are listed with their quotes escaped.
      return `${path.slice(root.length).replace(/\.spec\.ts$/, '')}: ${name.replaceAll('\\"', '"')}`;
    }),
  );
}

test('the table of rules is read', () => {
  expect(rules.length).toBeGreaterThan(100);
});

test('every rule has an id of its own and words', () => {
  const ids = rules.map(({ id }) => id);
  expect(ids.filter((id) => !/^[A-Z]-\d\d$/.test(id))).toEqual([]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(rules.filter(({ words }) => words.length < 10).map(({ id }) => id)).toEqual([]);
});

test('every rule has a test', () => {
  expect(rules.filter(({ tests }) => tests.length === 0).map(({ id }) => id)).toEqual([]);
});

test('every test that a rule names exists', async () => {
  const known = await listed();
  expect(known.size).toBeGreaterThan(100);
  const missing = rules.flatMap(({ id, file, tests }) =>
    tests.filter((name) => !known.has(`${file}: ${name}`)).map((name) => `${id}: ${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});
