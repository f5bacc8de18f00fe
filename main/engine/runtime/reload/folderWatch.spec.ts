import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../host/systemClock.ts';
import { watchFolder, type FolderWatch, type FolderWatchOptions } from './folderWatch.ts';
import { createFakeClock } from '../../../../test/support/core/fakeClock.ts';

let top: string;
let folder: string;
let watches: FolderWatch[];
/** The reported changes, one list of files for each. */
let reports: (readonly string[])[];
let quiet: boolean;
let named: Set<string>;
beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), 'hangar-watch-'));
  folder = path.join(top, 'handler');
  mkdirSync(folder);
  write('handler.py', 'one');
  watches = [];
  reports = [];
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

function watchIt(over: Partial<FolderWatchOptions> = {}): FolderWatch {
  const watch = watchFolder({
    clock: systemClock,
    folder,
    named: () => named,
    isQuiet: () => quiet,
    onChange: (files) => void reports.push(files),
    ...over,
  });
  watches.push(watch);
  return watch;
}
async function watching(): Promise<FolderWatch> {
  const watch = watchIt();
  await expect.poll(() => watch.state()).toEqual({ watching: true, problem: null });
  return watch;
}

/** Writes files whose change must be reported, and checks that nothing else is reported. */
async function nothingElse(watch: FolderWatch): Promise<void> {
  write('handler.py', 'another');
  await expect.poll(() => reports.length).toBe(1);
  await watch.stop();
  expect(reports).toEqual([['handler.py']]);
}

describe('a change is told once', () => {
  it.each(['handler.py', 'deep/er/module.py', 'new.mjs'])('when %s is written', async (name) => {
    write('deep/er/module.py', 'one');
    const watch = await watching();
    write(name, 'two');
    await expect.poll(() => reports.length).toBe(1);
    await watch.stop();
    expect(reports).toEqual([[name]]);
  });

  it('when a file is put in the place of another, as editors do it, or is removed', async () => {
    await watching();
    writeFileSync(path.join(top, 'temporary'), 'two');
    renameSync(path.join(top, 'temporary'), path.join(folder, 'handler.py'));
    await expect.poll(() => reports).toEqual([['handler.py']]);
    rmSync(path.join(folder, 'handler.py'));
    await expect.poll(() => reports).toEqual([['handler.py'], ['handler.py']]);
  });

  it('when many files are written together', async () => {
    await watching();
    const names = Array.from({ length: 20 }, (_, i) => `part${i}.py`);
    for (const name of names) write(name, 'x');
    await expect.poll(() => reports.length).toBe(1);
    expect(reports[0]?.toSorted()).toEqual(names.toSorted());
  });

  it('when a file that the command names is written, whatever it is called', async () => {
    write('server', 'one');
    named = new Set([path.join(folder, 'server')]);
    await watching();
    write('server', 'two');
    await expect.poll(() => reports).toEqual([['server']]);
  });

  it('when settings are written while no worker is at anything', async () => {
    await watching();
    write('config.yaml', 'a: 1');
    await expect.poll(() => reports).toEqual([['config.yaml']]);
  });
});

it('a change is unsettled before it is told, and is told without a pause where that is asked for', async () => {
  const clock = createFakeClock();
  const settled: string[][] = [];
  const watch = watchIt({ clock, onSettled: () => void settled.push(reports.map((files) => files.join())) });
  await expect.poll(() => watch.state().watching).toBe(true);
  expect(watch.isSettled()).toBe(true);
  write('handler.py', 'two');
  await expect.poll(() => watch.isSettled()).toBe(false);
  expect(reports).toEqual([]);
  watch.settleNow();
  // What was told when all was settled. A write may be reported twice, and the second report be compared by itself.
  await expect
    .poll(() => {
      clock.advance(0);
      return settled[0];
    })
    .toEqual(['handler.py']);
});

it('a file that a busy worker may write leaves all settled', async () => {
  const clock = createFakeClock();
  const watch = watchIt({ clock });
  await expect.poll(() => watch.state().watching).toBe(true);
  quiet = false;
  write('state.json', '{}');
  await expect.poll(() => clock.pending()).toBe(1);
  expect(watch.isSettled()).toBe(true);
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
  await expect.poll(() => watch.state()).toEqual({ watching: false, problem: `The folder ${folder} does not exist.` });
  mkdirSync(folder);
  write('handler.py', 'back');
  await expect.poll(() => watch.state()).toEqual({ watching: true, problem: null });
  await expect.poll(() => reports.length).toBeGreaterThan(0);
  expect(reports[0]).toEqual([]);
  write('handler.py', 'edited');
  await expect.poll(() => reports.at(-1)).toEqual(['handler.py']);
});

it('a folder that is not there yet is watched once it is', async () => {
  rmSync(folder, { recursive: true });
  const watch = watchIt();
  expect(watch.state()).toEqual({ watching: false, problem: `The folder ${folder} does not exist.` });
  mkdirSync(folder);
  await expect.poll(() => watch.state().watching).toBe(true);
});

it('a file in place of the folder is named as such', () => {
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  expect(watchIt().state()).toEqual({ watching: false, problem: `${folder} is not a folder.` });
});

it('a folder with too much in it is not watched, and says so', async () => {
  for (let i = 0; i < 2100; i += 1) write(`generated${i}.py`, '');
  const watch = watchIt();
  await expect.poll(() => watch.state().problem).toContain('holds too much');
  expect(watch.state().watching).toBe(false);
});
