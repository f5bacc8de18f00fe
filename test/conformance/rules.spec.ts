/** Reads the rules below `rules/`: every rule has a test that exists. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Rule } from './rules/rule.ts';

const repository = resolve(import.meta.dirname, '../..');
const folder = join(import.meta.dirname, 'rules');

interface PlacedRule extends Rule {
  /** The file of its record, for messages. */
  readonly at: string;
}

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && path !== 'rule.ts');
const rules: PlacedRule[] = [];
for (const file of files) {
  const { default: group } = (await import(pathToFileURL(join(folder, file)).href)) as { default: Rule[] };
  rules.push(...group.map((rule) => ({ ...rule, at: `test/conformance/rules/${file}` })));
}

/** The line of a failure for one rule: which record to edit, and how. */
const advice = ({ at, id }: PlacedRule, what: string): string => `${at}, ${id}: ${what}`;

const listedSchema = z.array(z.object({ name: z.string(), file: z.string() }));

/** Every test of the specs that the rules name, as `file: name`, found without running any. */
async function listed(): Promise<Set<string>> {
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
  const projects = ['conformance', 'containers', 'system'].flatMap((project) => ['--project', project]);
  const specs = [...new Set(rules.map(({ file }) => `test/${file}.spec.ts`))];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  const { stdout } = await promisify(execFile)(process.execPath, [vitest, 'list', '--json', ...projects, ...specs], {
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

test('the rules are read', () => {
  expect(rules.length).toBeGreaterThan(400);
});

test('every rule has an id of its own and words', () => {
  const ids = rules.map(({ id }) => id);
  const wrongIds = rules.filter(({ id }) => !/^[A-Z]-\d\d$/.test(id));
  expect(wrongIds.map((rule) => advice(rule, 'write the id as a letter, a hyphen and two digits.'))).toEqual([]);
  const repeated = rules.filter(({ id }, index) => ids.indexOf(id) !== index);
  expect(repeated.map((rule) => advice(rule, 'the id is taken; use the next number of the group.'))).toEqual([]);
  const wordless = rules.filter(({ rule }) => rule.length < 10);
  expect(wordless.map((rule) => advice(rule, 'say the rule in a sentence of at least 10 characters.'))).toEqual([]);
});

test('every rule has a test', () => {
  const untested = rules.filter(({ tests }) => tests.length === 0);
  expect(untested.map((rule) => advice(rule, 'name at least one test of its spec in `tests`.'))).toEqual([]);
});

test('every test that a rule names exists', async () => {
  const known = await listed();
  expect(known.size).toBeGreaterThan(100);
  const missing = rules.flatMap((rule) =>
    rule.tests
      .filter((name) => !known.has(`${rule.file}: ${name}`))
      .map((name) =>
        advice(rule, `test/${rule.file}.spec.ts has no test "${name}"; write it, or correct \`file\` or \`tests\`.`),
      ),
  );
  expect(missing).toEqual([]);
});
