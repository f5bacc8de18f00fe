/** `hangar data move` as a whole program: killed, without room, across file systems, and the default folder. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { appendFile, cp, mkdir, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mountSmallDisk, whyNoSmallDisk } from '../../../support/disk/smallDisk.ts';
import { until } from '../../../support/core/until.ts';
import { hangar, json, serveOn, start, type RunningCommand } from '../commandLine.ts';
import { digestsOf, fillFolder, newFolder, personOf } from './folders.ts';
import { skipFor } from '../../../support/core/skip.ts';

const noDisk = whyNoSmallDisk();
/** More than are copied before a move stops, and more than a page of the disk in memory each. */
const FILES = 50;
/** So many files of a volume are there when a move that is to be interrupted stands still. */
const COPIED = 10;
const FILE_BYTES = 5000;
/** More than one piece of a copy. */
const LARGE_BYTES = 5_000_000;
/** Besides the data, a move needs 64 MB there. */
const DISK_MB = 90;
const runSample = (dataDir: string, args: readonly string[] = []) =>
  json(dataDir, [...args, 'run', 'stream-words', '--input', '{"text": "one two"}']);
const usualOf = (home: string): string => join(home, '.local', 'state', 'hangar');
const jobCount = async (dataDir: string) => ((await json(dataDir, ['jobs'])) as unknown[]).length;

/**
 * Stops the process by SIGSTOP before it copies a file of a volume while `count` are in the folder `target`. A move that
 * goes on copies files again that changed shortly before it was begun, so files are counted where they arrive.
 */
const stopsItself = (target: string, count: number): string => `
  import { existsSync, readdirSync } from 'node:fs';
  import fs from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const { open } = fs;
  const arrived = () => (existsSync(${JSON.stringify(target)}) ? readdirSync(${JSON.stringify(target)}).length : 0);
  fs.open = (path, flags, mode) => {
    if (flags === 'r' && /file-\\d+\\.bin$/.test(path) && arrived() === ${count}) process.kill(process.pid, 'SIGSTOP');
    return open(path, flags, mode);
  };
  syncBuiltinESMExports();
`;

/** Starts a move, and waits until it stands still as above; SIGCONT lets it go on. */
async function startStopping(
  dataDir: string,
  args: readonly string[],
  [target, count]: readonly [folder: string, files: number],
): Promise<RunningCommand> {
  const program = `data:text/javascript,${encodeURIComponent(stopsItself(target, count))}`;
  const moving = start(dataDir, ['data', 'move', ...args], { env: { NODE_OPTIONS: `--import=${program}` } });
  const isStopped = (): boolean => /\) [Tt] /.test(readFileSync(`/proc/${moving.pid}/stat`, 'utf8'));
  await until('the move to stand still', isStopped);
  return moving;
}

let used: Awaited<ReturnType<typeof newFolder>>;
/** Makes a data folder that Hangar has used before: with its databases, the samples, and one job. */
const copyOfUsed = (dataDir: string): Promise<void> => cp(used.path, dataDir, { recursive: true });

beforeAll(async () => {
  used = await newFolder();
  await using served = await serveOn(used.path);
  await runSample(served.dataDir);
});
afterAll(() => used[Symbol.asyncDispose]());

describe('to another file system', skipFor(noDisk), () => {
  it('a move that was killed, and then found the disk full, goes on and loses nothing, also what came meanwhile', async () => {
    await using folder = await newFolder();
    using disk = mountSmallDisk(DISK_MB);
    const [from, to] = [join(folder.path, 'data'), join(disk.folder, 'hangar')];
    await copyOfUsed(from);
    const volume = join(from, 'volumes', 'models-1');
    await fillFolder(volume, FILES, FILE_BYTES);
    await writeFile(join(volume, 'large.bin'), Buffer.alloc(LARGE_BYTES, 'large '));
    await symlink(join(volume, 'large.bin'), join(volume, 'latest'));
    const target = join(to, 'volumes', 'models-1');
    const before = await digestsOf(from);
    const copied = (): string[] => (existsSync(target) ? readdirSync(target) : []);

    const moving = await startStopping(from, [to], [target, COPIED]);
    moving.kill('SIGKILL');
    await moving.ended();
    expect(copied()).toHaveLength(COPIED);

    // The old folder is still the data folder, and the new one is none yet.
    expect(await hangar(to, ['serve', '--no-ui', '--port', '0'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not complete') as string,
    });
    const elsewhere = await hangar(from, ['data', 'move', join(folder.path, 'other')]);
    expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining('is not finished') as string });

    const continued = await startStopping(from, [], [target, 2 * COPIED]);
    expect(copied()).toHaveLength(2 * COPIED);
    // Another program takes the rest of the disk before the next file is copied.
    const other = join(disk.folder, 'other.bin');
    await appendFile(other, Buffer.alloc(disk.freeBytes() - 1_000_000)).catch(() => undefined);
    continued.kill('SIGCONT');
    const { code, stderr } = await continued.ended();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`The disk of ${to} is full.`) as string,
    });
    expect(stderr).toContain('Everything is still in the old folder. You can continue the move later.');
    // The note of the move that can go on is new.
    expect(await digestsOf(from)).toMatchObject(before);
    {
      await using served = await serveOn(from);
      expect(await jobCount(served.dataDir)).toBe(1);
      await runSample(served.dataDir);
    }
    await writeFile(join(volume, 'file-0.bin'), Buffer.alloc(FILE_BYTES, 'changed in between '));
    await rm(join(volume, 'file-1.bin'));
    const expected = await digestsOf(join(from, 'volumes'));

    // Without a folder it goes on with the move that was begun.
    await rm(other);
    expect(await json(from, ['data', 'move'])).toMatchObject({ to, left: [], skipped: [] });
    expect(await digestsOf(join(to, 'volumes'))).toEqual(expected);
    // A link into the folder leads into the new one.
    expect((await readFile(join(target, 'latest'))).length).toBe(LARGE_BYTES);
    expect((await stat(to)).mode & 0o777).toBe(0o700);
    expect(await readdir(from)).toEqual(['moved-to.json']);
    await using served = await serveOn(to);
    expect(await jobCount(served.dataDir)).toBe(2);
    // The samples run from their new folder.
    expect(await runSample(served.dataDir)).toEqual(expect.anything());
    expect(JSON.stringify(await json(to, ['endpoints']))).not.toContain(from);
    // Their note is gone once the engine knows the new paths.
    expect(readdirSync(to)).not.toContain('relocated.json');
  });

  it('not enough room is found out before anything is copied', async () => {
    await using folder = await newFolder();
    using disk = mountSmallDisk(70);
    const from = join(folder.path, 'data');
    await fillFolder(join(from, 'volumes', 'v'), 1, 10_000_000);
    const to = join(disk.folder, 'hangar');
    const { code, stderr } = await hangar(from, ['data', 'move', to]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('not enough room') as string });
    expect(existsSync(to)).toBe(false);
    expect(await readdir(from)).toEqual(['volumes']);
  });

  it('a move that is given up leaves the new disk empty and the data where it was', async () => {
    await using folder = await newFolder();
    using disk = mountSmallDisk(DISK_MB);
    const from = join(folder.path, 'data');
    await fillFolder(join(from, 'volumes', 'v'), FILES, FILE_BYTES);
    const moving = await startStopping(from, [disk.folder], [join(disk.folder, 'volumes', 'v'), COPIED]);
    moving.kill('SIGINT');
    moving.kill('SIGCONT');
    expect(await moving.ended()).toMatchObject({ code: 130, stderr: expect.stringContaining('to continue') as string });
    expect(await json(from, ['data', 'move', '--discard'])).toEqual({ discarded: disk.folder });
    expect(await readdir(disk.folder)).toEqual([]);
    expect((await readdir(join(from, 'volumes', 'v'))).length).toBe(FILES);
  });
});

describe('the default data folder', () => {
  it('is found in its new place, moves on, and comes back', async () => {
    await using home = await newFolder();
    const env = personOf(home.path);
    const usual = usualOf(home.path);
    await copyOfUsed(usual);
    await json('', ['data', 'move', join(home.path, 'one')], { env });
    {
      await using served = await serveOn('', env);
      expect(served.dataDir).toBe(join(home.path, 'one'));
      expect(((await json('', ['jobs'], { env })) as unknown[]).length).toBe(1);
      const refused = await hangar('', ['data', 'move', join(home.path, 'two')], { env });
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`process ${served.pid}`) as string });
      expect(await json('', ['data', 'move', join(home.path, 'two'), '--stop'], { env })).toMatchObject({ left: [] });
    }
    // No folder in between is needed.
    await rm(join(home.path, 'one'), { recursive: true });
    const jobs = await hangar('', ['jobs'], { env });
    expect(jobs).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`folder ${join(home.path, 'two')}. `) as string,
    });
    // A folder that is named and was moved away is refused with the new one.
    const named = await hangar(usual, ['serve', '--no-ui', '--port', '0']);
    expect(named).toMatchObject({ code: 1, stderr: expect.stringContaining(join(home.path, 'two')) as string });
    await json('', ['data', 'move', usual], { env });
    await using served = await serveOn('', env);
    expect(served.dataDir).toBe(usual);
    expect(((await json('', ['jobs'], { env })) as unknown[]).length).toBe(1);
  });

  it('is not begun anew while the disk of the new place is away', async () => {
    await using home = await newFolder();
    const env = personOf(home.path);
    const to = join(home.path, 'disk');
    await copyOfUsed(usualOf(home.path));
    await json('', ['data', 'move', to], { env });
    await rm(to, { recursive: true });
    const serving = await hangar('', ['serve', '--no-ui', '--port', '0'], { env });
    expect(serving).toMatchObject({ code: 1, stderr: expect.stringContaining('Connect its disk') as string });
    expect(existsSync(to)).toBe(false);
  });
});

describe('a folder that cannot be the new one', () => {
  it.each<[string, (dataDir: string) => string, string]>([
    ['one with something in it', (dataDir) => join(dataDir, '..', 'full'), 'is not empty'],
    ['one in the data folder', (dataDir) => join(dataDir, 'new'), 'is inside the data folder'],
    ['the one above', (dataDir) => join(dataDir, '..'), 'The data folder lies in'],
  ])('%s', async (_name, place, message) => {
    await using folder = await newFolder();
    const dataDir = join(folder.path, 'data');
    await fillFolder(join(dataDir, 'volumes'), 1, 10);
    await mkdir(join(folder.path, 'full', 'content'), { recursive: true });
    const ended = await hangar(dataDir, ['data', 'move', place(dataDir)]);
    expect(ended.code).not.toBe(0);
    expect(ended.stderr).toContain(message);
    expect(await readdir(dataDir)).toEqual(['volumes']);
  });

  it('a data folder that another process works on is not opened', async () => {
    await using folder = await newFolder();
    const dataDir = join(folder.path, 'data');
    await copyOfUsed(dataDir);
    await writeFile(join(dataDir, 'maintenance.json'), JSON.stringify({ pid: process.pid, work: 'it moves the data' }));
    const ended = await hangar(dataDir, ['serve', '--no-ui', '--port', '0']);
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining(`process ${process.pid}`) as string });
  });
});
