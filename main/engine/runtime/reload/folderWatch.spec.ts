import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../host/systemClock.ts';
import { watchFolder, type FolderWatch } from './folderWatch.ts';
import { eventually } from '../../../../test/support/core/eventually.ts';

let top: string;
let folder: string;
let watches: FolderWatch[];
/** What was told, one list for each change. */
let told: (readonly string[])[];
let quiet: boolean;
let named: Set<string>;
beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), 'hangar-watch-'));
  folder = path.join(top, 'handler');
  mkdirSync(folder);
  write('handler.py', 'one');
  watches = [];
  told = [];
  quiet = true;
  named = new Set();
});
afterEach(async () => {
  await Promise.all(watches.map((watch) => watch.stop()));
  rmSync(top, { recursive: true, force: true });
});

function write(name: string, text: string): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function watchIt(): FolderWatch {
  const watch = watchFolder({
    clock: systemClock,
    folder,
    named: () => named,
    isQuiet: () => quiet,
    onChange: (files) => void told.push(files),
  });
  watches.push(watch);
  return watch;
}
async function watching(): Promise<FolderWatch> {
  const watch = watchIt();
  await eventually(() => watch.state()).toEqual({ watching: true, problem: null });
  return watch;
}

/** Writes what must be told, and makes sure that nothing else is. */
async function nothingElse(watch: FolderWatch): Promise<void> {
  write('handler.py', 'another');
  await eventually(() => told.length).toBe(1);
  await watch.stop();
  expect(told).toEqual([['handler.py']]);
}

describe('a change is told once', () => {
  it.each(['handler.py', 'deep/er/module.py', 'new.mjs'])('when %s is written', async (name) => {
    write('deep/er/module.py', 'one');
    const watch = await watching();
    write(name, 'two');
    await eventually(() => told.length).toBe(1);
    await watch.stop();
    expect(told).toEqual([[name]]);
  });

  it('when a file is put in the place of another, as editors do it, or is removed', async () => {
    await watching();
    writeFileSync(path.join(top, 'temporary'), 'two');
    renameSync(path.join(top, 'temporary'), path.join(folder, 'handler.py'));
    await eventually(() => told).toEqual([['handler.py']]);
    rmSync(path.join(folder, 'handler.py'));
    await eventually(() => told).toEqual([['handler.py'], ['handler.py']]);
  });

  it('when many files are written together', async () => {
    await watching();
    const names = Array.from({ length: 20 }, (_, i) => `part${i}.py`);
    for (const name of names) write(name, 'x');
    await eventually(() => told.length).toBe(1);
    expect(told[0]?.toSorted()).toEqual(names.toSorted());
  });

  it('when a file that the command names is written, whatever it is called', async () => {
    write('server', 'one');
    named = new Set([path.join(folder, 'server')]);
    await watching();
    write('server', 'two');
    await eventually(() => told).toEqual([['server']]);
  });

  it('when settings are written while no worker is at anything', async () => {
    await watching();
    write('config.yaml', 'a: 1');
    await eventually(() => told).toEqual([['config.yaml']]);
  });
});

describe('nothing is told', () => {
  it.each([
    'node_modules/x/index.js',
    '__pycache__/handler.py',
    '.git/hooks.py',
    '.hidden.py',
    'out.png',
    'run.log',
    'x.pyc',
  ])('when %s is written', async (name) => {
    const watch = await watching();
    write(name, 'x');
    await nothingElse(watch);
  });

  it('when settings are written while a worker is busy: the handler did it', async () => {
    const watch = await watching();
    quiet = false;
    write('state.json', '{}');
    await nothingElse(watch);
  });

  it('when a file is written as it was', async () => {
    write('module.py', 'one');
    const watch = await watching();
    write('module.py', 'one');
    utimesSync(path.join(folder, 'module.py'), 1, 1);
    await nothingElse(watch);
  });
});

it('a folder that is removed is a problem, and is watched again when it comes back', async () => {
  const watch = await watching();
  rmSync(folder, { recursive: true });
  await eventually(() => watch.state()).toEqual({ watching: false, problem: `The folder ${folder} does not exist.` });
  mkdirSync(folder);
  write('handler.py', 'back');
  await eventually(() => watch.state()).toEqual({ watching: true, problem: null });
  await eventually(() => told.length).toBeGreaterThan(0);
  expect(told[0]).toEqual([]);
  write('handler.py', 'edited');
  await eventually(() => told.at(-1)).toEqual(['handler.py']);
});

it('a folder that is not there yet is watched once it is', async () => {
  rmSync(folder, { recursive: true });
  const watch = watchIt();
  expect(watch.state()).toEqual({ watching: false, problem: `The folder ${folder} does not exist.` });
  mkdirSync(folder);
  await eventually(() => watch.state().watching).toBe(true);
});

it('a folder with too much in it is not watched, and says so', async () => {
  for (let i = 0; i < 2100; i += 1) write(`generated${i}.py`, '');
  const watch = watchIt();
  await eventually(() => watch.state().problem).toContain('holds too much');
  expect(watch.state().watching).toBe(false);
});
