import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const FOLDERS = ['main', 'packaging', 'preload', 'renderer', 'resources', 'scripts', 'test'];

const paths = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/node_modules|__pycache__/.test(entry.parentPath))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    ),
);
const sources = paths.filter((path) => /\.(tsx?|mjs|js|py)$/.test(path));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('no source file is longer than 400 lines', () => {
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((path) => read(path).trimEnd().split('\n').length > 400)).toEqual([]);
});

test('no folder has more than 15 source files', () => {
  const counts = new Map<string, number>();
  for (const path of sources.filter((one) => !/\.spec\.tsx?$/.test(one))) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const full = [...counts].filter(([, count]) => count > 15);
  expect(full.map(([folder, count]) => `${folder} has ${count}: make a folder for a part of them`)).toEqual([]);
});

test('every file under main/ opens with a sentence on what it owns', () => {
  const inMain = sources.filter((path) => path.startsWith('main/') && !path.endsWith('.spec.ts'));
  expect(inMain.length).toBeGreaterThan(40);
  expect(inMain.filter((path) => !/^\/\*\*[^]*?\w[^]*?\*\//.test(read(path)))).toEqual([]);
});

/** Lines of a `catch` without the error whose block neither says first why nothing is lost, nor throws. */
const silentCatches = (path: string): string[] =>
  read(path)
    .split('\n')
    .flatMap((line, index, lines) =>
      /\bcatch \{$/.test(line) && !/^\s*(?:\/\/|throw )/.test(lines[index + 1] ?? '') ? [`${path}:${index + 1}`] : [],
    );

test('a catch without the error says why nothing is lost, or throws', () => {
  const program = sources.filter(
    (path) => /^(?:main|preload|renderer|scripts)\//.test(path) && !/\.spec\.tsx?$/.test(path),
  );
  expect(program.flatMap(silentCatches)).toEqual([]);
});

test('a test that a machine cannot run says why: by skipFor, whose reason the summary prints', () => {
  const specs = sources.filter((path) => /\.spec\.tsx?$/.test(path));
  expect(specs.filter((path) => /\.(?:skipIf|runIf)\(|\{ skip\b:/.test(read(path)))).toEqual([]);
});

test('no file is named by a word that says nothing', () => {
  const nothing = /(?:^|[^a-z])(?:managers?|helpers?|utils?|common|misc|base|impl)(?:[^a-z]|$)/i;
  const inWords = (path: string): string => basename(path).replace(/([a-z])([A-Z])/g, '$1-$2');
  expect(sources.filter((path) => nothing.test(inWords(path)))).toEqual([]);
});

test('files are named in camelCase, components in PascalCase', () => {
  const typescript = sources.filter((path) => /\.tsx?$/.test(path) && !/\.d\.ts$/.test(path));
  const wellNamed = (path: string): boolean =>
    /^[a-z][A-Za-z0-9]*(\.spec)?\.tsx?$/.test(basename(path)) ||
    /^[A-Z][A-Za-z0-9]*(\.spec)?\.tsx$/.test(basename(path));
  // Migrations run in the order of their names, which begin with a number.
  expect(typescript.filter((path) => !path.includes('/migrations/') && !wellNamed(path))).toEqual([]);
});

test('comments state what is: nothing is put off in one', () => {
  const later = new RegExp(
    ['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX', 'coming ' + 'soon'].map((word) => `\\b${word}\\b`).join('|'),
  );
  expect(sources.filter((path) => later.test(read(path)))).toEqual([]);
});
