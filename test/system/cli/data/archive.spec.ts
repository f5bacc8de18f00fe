/** `hangar data export` and `import` as whole programs: what is in the file, what is not, and what is refused. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { holds } from '../../../support/disk/secretsInFiles.ts';
import { mountSmallDisk, whyNoSmallDisk } from '../../../support/disk/smallDisk.ts';
import { createKey, hangar, json, serveHangar, serveOn, type ServedHangar } from '../commandLine.ts';
import { fillFolder, newFolder } from './folders.ts';
import { skipFor } from '../../../support/core/skip.ts';

const PASSPHRASE = 'a passphrase that nobody may read';
const VARIABLE = 'variable-9f8e7d6c5b4a3210';
const noDisk = whyNoSmallDisk();

let folder: string;
let served: ServedHangar;
let file: string;
/** What the command says at the end of the export. */
let report: string;
/** Everything that no export may contain. */
const secrets: Record<string, string> = { passphrase: PASSPHRASE, variable: VARIABLE };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hangar-export-'));
  file = join(folder, 'all.tar.gz');
  served = await serveHangar({ HANGAR_KEYS: 'file', HANGAR_PASSPHRASE: PASSPHRASE });
  const { dataDir } = served;
  secrets['key of this run'] = served.key;
  secrets['API key'] = await createKey(served, 'mine');
  // The account leads to this Hangar itself, with a key of its own.
  const keyOfBox = (secrets['key of an account'] = await createKey(served, 'of-box'));
  await json(dataDir, ['accounts', 'add', 'box', '--kind', 'engine', '--address', served.api], { input: keyOfBox });
  const greet = join(folder, 'greet');
  await mkdir(greet);
  await writeFile(join(greet, 'handler.mjs'), 'export default ({ input }) => `Hello ${input.name}`;');
  await writeFile(join(folder, '.env'), `TOKEN=${VARIABLE}\n`);
  await json(dataDir, ['deploy', greet, '--env', join(folder, '.env'), '--name', 'with-variable']);
  await json(dataDir, ['run', 'stream-words', '--input', '{"text": "one two"}']);
  await fillFolder(join(dataDir, 'volumes', 'models-1'), 3, 1000);
  await writeFile(join(dataDir, 'volumes', 'models-1', 'tool'), '#!/bin/sh\n', { mode: 0o755 });
  // Hangar runs meanwhile.
  report = ((await json(dataDir, ['data', 'export', file])) as { message: string }).message;
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const names = (): string[] => execFileSync('tar', ['tzf', file], { encoding: 'utf8' }).trim().split('\n');

describe('the file of an export', () => {
  it('has no key, no passphrase and no secret, in no spelling', async () => {
    const content = gunzipSync(await readFile(file));
    expect(Object.keys(secrets)).toHaveLength(5);
    for (const [name, secret] of Object.entries(secrets)) expect([name, holds(content, secret)]).toEqual([name, false]);
    expect(names().filter((name) => /secrets|folder-key|backups|logs|instance|\.part|disk-reserve/.test(name))).toEqual(
      [],
    );
  });

  it('is for its owner only, and says what is not in it', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const manifest = execFileSync('tar', ['xzOf', file, 'manifest.json'], { encoding: 'utf8' });
    expect(JSON.parse(manifest)).toMatchObject({ format: 'hangar-export', version: 1, dataDir: served.dataDir });
    expect(manifest).toContain('keys of accounts');
    expect(names()).toEqual(expect.arrayContaining(['data/engine.db', 'data/ledger.db', 'data/accounts.json']));
    // Nothing is left beside it.
    expect((await readdir(folder)).filter((name) => name.includes('all') || name.startsWith('.hangar'))).toEqual([
      'all.tar.gz',
    ]);
  });

  it('has no folder of an own handler, and the export names those that it lacks', () => {
    const greet = join(folder, 'greet');
    expect(report).toContain(`Not in it: the folder of your own handlers, to be copied separately: ${greet};`);
    expect(names().filter((name) => name.includes('greet'))).toEqual([]);
    expect(names()).toContain('data/examples/');
  });

  it('is not written over another', async () => {
    const again = await hangar(served.dataDir, ['data', 'export', file]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('exists already') as string });
  });
});

describe('an import', () => {
  it('into a new folder has the jobs, endpoints and volumes, runs jobs, and asks for the keys; with --replace it sets data aside', async () => {
    const dataDir = join(folder, 'new');
    const imported = await json(dataDir, ['data', 'import', file]);
    expect(imported).toMatchObject({ dataDir, aside: null });
    expect((await stat(join(dataDir, 'engine.db'))).mode & 0o777).toBe(0o600);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'volumes', 'models-1', 'tool'))).mode & 0o777).toBe(0o755);
    {
      await using copy = await serveOn(dataDir);
      expect(await json(dataDir, ['jobs'])).toMatchObject([{ endpointName: 'stream-words', status: 'COMPLETED' }]);
      await json(copy.dataDir, ['run', 'stream-words', '--input', '{"text": "three"}']);
      const endpoints = JSON.stringify(await json(dataDir, ['endpoints']));
      expect(endpoints).toContain('with-variable');
      expect(endpoints).not.toContain(served.dataDir);
      expect(JSON.stringify(await json(dataDir, ['accounts']))).toContain('box');
      expect(await hangar(dataDir, ['endpoints', '--account', 'box'])).toMatchObject({ code: 5 });

      // Into a folder with data, an import is refused.
      await createKey(copy, 'of-before');
      const running = await hangar(dataDir, ['data', 'import', file]);
      expect(running).toMatchObject({ code: 1, stderr: expect.stringContaining('add --stop') as string });
      const refused = await hangar(dataDir, ['data', 'import', file, '--stop']);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('There is data in') as string });
    }
    const { aside } = (await json(dataDir, ['data', 'import', file, '--replace'])) as { aside: string };
    expect(await readdir(aside)).toEqual(expect.arrayContaining(['engine.db', 'ledger.db']));
    await using replaced = await serveOn(dataDir);
    const keys = JSON.stringify(await json(replaced.dataDir, ['keys']));
    expect(keys).toContain('mine');
    expect(keys).not.toContain('of-before');
    expect(await json(dataDir, ['jobs'])).toHaveLength(1);
  });

  /** An archive as an export writes it, with other entries. */
  async function archive(manifest: unknown, entries: Record<string, string>): Promise<Buffer> {
    const tar = pack();
    tar.entry({ name: 'manifest.json' }, JSON.stringify(manifest));
    for (const [name, text] of Object.entries(entries)) tar.entry({ name }, text);
    tar.finalize();
    return gzipSync(await buffer(tar));
  }
  const manifest = {
    format: 'hangar-export',
    version: 1,
    hangar: '0.0.1',
    createdAt: '2026-01-01T00:00:00Z',
    dataDir: '/elsewhere',
    leftOut: [],
  };

  it.each<[string, () => Promise<Buffer>, string]>([
    [
      'a file that was damaged',
      async () => {
        const content = gunzipSync(await readFile(file));
        content[Math.floor(content.length / 2)] = 255 - (content[Math.floor(content.length / 2)] ?? 0);
        return gzipSync(content);
      },
      'is damaged',
    ],
    ['a file that was cut off', async () => (await readFile(file)).subarray(0, -2000), 'is damaged'],
    ['a file of another program', () => Promise.resolve(Buffer.from('hello')), 'is not a Hangar export'],
    ['an export of a newer Hangar', () => archive({ ...manifest, hangar: '99.0.0' }, {}), 'Update Hangar'],
    ['an export in a newer format', () => archive({ ...manifest, version: 99 }, {}), 'Update Hangar'],
    ['a file without its checksum', () => archive(manifest, { 'data/accounts.json': '{}' }), 'is damaged'],
    ['a path that leads out', () => archive(manifest, { 'data/../../evil': 'x' }), 'is not a Hangar export'],
    ['an absolute path', () => archive(manifest, { '/etc/evil': 'x' }), 'is not a Hangar export'],
  ])('of %s is refused, and nothing is changed', async (_name, content, message) => {
    await using place = await newFolder();
    const bad = join(place.path, 'bad.tar.gz');
    await writeFile(bad, await content());
    const dataDir = join(place.path, 'data');
    const ended = await hangar(dataDir, ['data', 'import', bad]);
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).toContain('Nothing was changed');
    expect(ended.code).toBe(1);
    expect(existsSync(dataDir)).toBe(false);
  });
});

it('an export to a disk without room is refused, and leaves nothing there', skipFor(noDisk), async () => {
  using disk = mountSmallDisk(1);
  await disk.fill();
  const before = await readdir(disk.folder);
  const ended = await hangar(served.dataDir, ['data', 'export', join(disk.folder, 'all.tar.gz')]);
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('full') as string });
  expect(await readdir(disk.folder)).toEqual(before);
  // The running Hangar goes on.
  expect(await json(served.dataDir, ['jobs'])).toHaveLength(1);
});
