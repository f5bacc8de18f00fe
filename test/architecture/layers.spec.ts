import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ICruiseResult } from 'dependency-cruiser';
import { beforeAll, describe, expect, test } from 'vitest';
import { LAYERS, inspect, violationsOf } from './layers.ts';
import { ROOMS } from './rooms.ts';

const root = join(import.meta.dirname, '..', '..');
const FOLDERS = ['main', 'preload', 'renderer'];

const sourcesOnDisk = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts')),
);

describe('imports', () => {
  let result: ICruiseResult;
  let modules: ReadonlySet<string>;
  beforeAll(async () => {
    result = await inspect(root, FOLDERS);
    modules = new Set(result.modules.map(({ source }) => source));
  });

  test('go only where the table of layers lets them', () => {
    expect(violationsOf(result)).toEqual([]);
  });

  test('are read from every source file there is, so that a reader that sees nothing cannot pass', () => {
    expect(sourcesOnDisk.length).toBeGreaterThan(80);
    expect(sourcesOnDisk.filter((path) => !modules.has(path))).toEqual([]);
  });

  test('are found in number: a file that seems to import nothing at all is rare', () => {
    const ours = result.modules.filter(({ source }) => sourcesOnDisk.includes(source));
    const alone = ours.filter(({ dependencies }) => dependencies.length === 0);
    expect(alone.length).toBeLessThan(ours.length / 3);
    expect(ours.flatMap(({ dependencies }) => dependencies).length).toBeGreaterThan(2 * ours.length);
  });

  test('of packages are seen as such: where node_modules is a link to another folder they would pass unseen', () => {
    const packages = result.modules
      .flatMap(({ dependencies }) => dependencies)
      .filter(({ module }) => ['zod', 'fastify', 'react'].includes(module));
    expect(packages.length).toBeGreaterThan(50);
    expect(packages.filter(({ resolved }) => !resolved.startsWith('node_modules/'))).toEqual([]);
  });

  test('of the contract are followed through its short name', () => {
    const shortcuts = result.modules
      .flatMap(({ dependencies }) => dependencies)
      .filter(({ module }) => module.startsWith('#contract/'));
    expect(shortcuts.length).toBeGreaterThan(10);
    expect(shortcuts.filter(({ resolved }) => !resolved.startsWith('main/contract/'))).toEqual([]);
  });
});

test('every folder with sources belongs to a layer', () => {
  const homeless = sourcesOnDisk.filter((path) => !LAYERS.some(({ files }) => new RegExp(files).test(path)));
  expect([...new Set(homeless.map((path) => dirname(path)))]).toEqual([]);
});

test('every layer has sources', () => {
  const empty = LAYERS.filter(({ files }) => !sourcesOnDisk.some((path) => new RegExp(files).test(path)));
  expect(empty.map(({ name }) => name)).toEqual([]);
});

test('every folder of a layer with rooms is one of them', () => {
  const missing = Object.entries(ROOMS).flatMap(([layer, rooms]) =>
    sourcesOnDisk
      .filter((path) => path.startsWith(`${layer}/`))
      .map((path) => path.slice(layer.length + 1).split('/'))
      .filter(([room, file]) => file !== undefined && !(room! in rooms))
      .map(([room]) => `${layer}/${room}: add it to ROOMS in test/architecture/rooms.ts`),
  );
  expect(missing).toEqual([]);
});

test('a room may import only rooms that stand above it in the table, so that there are no cycles of folders', () => {
  const upward = Object.entries(ROOMS).flatMap(([layer, rooms]) => {
    const names = Object.keys(rooms);
    return Object.entries(rooms).flatMap(([room, allowed]) =>
      allowed
        .filter((name) => names.indexOf(name) < 0 || names.indexOf(name) >= names.indexOf(room))
        .map((name) => `${layer}: ${room} → ${name}`),
    );
  });
  expect(upward).toEqual([]);
});
