// A wait ends after one shared deadline, so that a test holds on a slow machine as well.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './documents.ts';

const FOLDERS = [
  'main',
  'preload',
  'renderer',
  'scripts',
  'test/clients',
  'test/conformance',
  'test/support',
  'test/system',
];
const specs = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.spec\.tsx?$/.test(path))
    .map((path) => join(folder, path)),
);

/** A number of milliseconds as the limit of a wait or behind the body of a test, and a wait that ends after a second. */
const OWN_LIMIT = /\{ timeout: [\d_]+ \}|^\s*\}, [\d_]{4,}\);|vi\.wait(For|Until)\(/m;

it('no test that Vitest runs has a time limit of its own', () => {
  expect(specs.length).toBeGreaterThan(500);
  expect(specs.filter((path) => OWN_LIMIT.test(readFileSync(join(root, path), 'utf8')))).toEqual([]);
});
