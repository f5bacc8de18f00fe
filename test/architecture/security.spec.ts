/**
 * docs/security.md: each item of Electron's checklist names a test that exists, and the table of fuses their states.
 */
import { expect, test } from 'vitest';
import { FUSES } from '../../scripts/packages/desktopConfig.mjs';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { read, root } from './documents.ts';

const text = read('docs/security.md');
const rows = text
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
/** The tests that the checklist names: the file, and a part of the title. */
const named = [...text.matchAll(/^ {2}Test: `([^`]+\.spec\.ts)`,\s+"([^"]+)"$/gm)].map(([, file = '', title = '']) => ({
  file,
  title: title.replace(/\s+/g, ' '),
}));

test('each item of the checklist names a test that exists', () => {
  const items = text.split('## The desktop program')[1]?.match(/^- \*\*/gm) ?? [];
  expect(named.length).toBeGreaterThanOrEqual(20);
  expect(named).toHaveLength(items.length);
  expect(named.filter(({ file, title }) => !read(file).includes(title))).toEqual([]);
});

test('each fuse stands in the table as it is set', () => {
  const stated = rows.flatMap(([name = '', state = '']) => {
    const fuse = /^`(\w+)`$/.exec(name)?.[1];
    return fuse !== undefined && /^(on|off)$/.test(state) ? [[fuse, state === 'on'] as const] : [];
  });
  expect(Object.fromEntries(stated)).toEqual(FUSES);
});

/** Source files below `folder`, without specs. */
const sourcesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'));

test('only the driver of worker processes runs Electron as a plain Node', () => {
  const users = sourcesBelow('main').filter((path) => readFileSync(join(root, path), 'utf8').includes('RUN_AS_NODE'));
  expect(users).toEqual(['main/engine/runtime/workers/processDriver.ts']);
});

test('an address reaches the browser of the person by two files only: the guards, and the menu with an own address', () => {
  const users = sourcesBelow('main').filter((path) => readFileSync(join(root, path), 'utf8').includes('openExternal'));
  expect(users.toSorted()).toEqual(['main/hosts/electron/guards.ts', 'main/hosts/electron/menu/menu.ts']);
});
