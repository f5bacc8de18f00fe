// The files of this computer through the bridge of the built host: those of the home folder and of handlers, and not
// Hangar's own data.
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { limits } from '#contract/core/limits.ts';
import { THIS_COMPUTER } from '#contract/local/files.ts';
import { connect, newDataDir, pair, startHost, type BridgeClient } from './headlessHost.ts';

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

let home: string;
let client: BridgeClient;
const place = (path: string) => ({ accountId: THIS_MACHINE, holder: THIS_COMPUTER, path });

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'hangar-home-files-'));
  cleanup.defer(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  await mkdir(join(home, 'models'));
  await symlink('/etc', join(home, 'etc'));
  const flags = ['--json', '--port', '0', '--ui-port', '0', '--data-dir', join(home, 'hangar')];
  const host = cleanup.use(startHost(flags, { HOME: home }));
  const { href } = new URL((await host.ready()).ui ?? '');
  ({ client } = cleanup.use(await connect(href, await pair(href))));
});

type FilePlace = Parameters<BridgeClient['files']['list']>[0];

const begin = async (path: string, sizeBytes: number) => {
  const how = { sizeBytes, modifiedAt: 0, replaces: false, startsOver: false };
  return client.files.beginUpload({ ...place(path), ...how });
};

it('a file comes in pieces, is read in pieces, is renamed, matchedPaths and deleted', async () => {
  const { pieceBytes } = limits.page;
  const bytes = Buffer.alloc(pieceBytes + 10, 'weights ');
  const upload = await begin('models/a.bin', bytes.length);
  await client.files.putPiece({ ...upload, from: 0, bytes: new Blob([bytes.subarray(0, pieceBytes)]) });
  expect(existsSync(join(home, 'models/a.bin'))).toBe(false);
  await client.files.putPiece({ ...upload, from: pieceBytes, bytes: new Blob([bytes.subarray(pieceBytes)]) });
  await client.files.endUpload(upload);
  expect(readFileSync(join(home, 'models/a.bin')).equals(bytes)).toBe(true);

  const facts = { from: pieceBytes, sizeBytes: bytes.length };
  const rest = await client.files.read({ ...place('models/a.bin'), ...facts });
  expect(Buffer.from(await rest.bytes.arrayBuffer()).equals(bytes.subarray(pieceBytes))).toBe(true);

  await client.files.move({ ...place('models/a.bin'), to: 'b.bin' });
  const matchedPaths: string[] = [];
  for await (const { matches } of await client.files.search({ ...place(''), text: 'B.BIN' })) {
    matchedPaths.push(...matches.map(({ path }) => path));
  }
  expect(matchedPaths).toEqual(['b.bin']);
  await client.files.remove(place('b.bin'));
  expect((await client.files.list(place(''))).entries.map(({ name }) => name)).toEqual(['hangar', 'models', 'etc']);
});

it('are refused with --no-shell', async () => {
  await using data = await newDataDir();
  const flags = ['--json', '--port', '0', '--ui-port', '0', '--no-shell', '--data-dir', data.path];
  await using host = startHost(flags, { HOME: home });
  const { href } = new URL((await host.ready()).ui ?? '');
  await using other = await connect(href, await pair(href));
  const { problem, folder } = await other.client.files.thisComputer();
  expect(folder).toBe(home);
  expect(problem).toContain('--no-shell');
  await expect(other.client.files.list(place(''))).rejects.toMatchObject({ code: 'UNSUPPORTED' });
});

it('a cancelled upload leaves nothing', async () => {
  const upload = await begin('half.bin', 10);
  await client.files.putPiece({ ...upload, from: 0, bytes: new Blob(['12345']) });
  await client.files.cancelUpload({ ...upload, keeps: false });
  await expect(client.files.endUpload(upload)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect
    .poll(async () => (await client.files.list(place(''))).entries.map(({ name }) => name))
    .toEqual(['hangar', 'models', 'etc']);
});

it('neither a link nor a path leads out of the home folder, and Hangar keeps its own data to itself', async () => {
  const read = (path: string) => client.files.read({ ...place(path), from: 0, sizeBytes: 1 });
  await expect(read('etc/passwd')).rejects.toThrow('goes through a link that leads out of your home folder');
  await expect(read('../../etc/passwd')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(client.files.list(place('hangar'))).rejects.toThrow("is in the folder of Hangar's own data");
  await expect(client.files.remove(place('hangar'))).rejects.toThrow("is in the folder of Hangar's own data");
  await writeFile(join(home, 'note'), 'x');
  await expect(client.files.move({ ...place('note'), to: 'hangar/note' })).rejects.toMatchObject({ code: 'CONFLICT' });
});

it('the app copies a file into a volume and back, compares both, and says what went wrong', async () => {
  const { pieceBytes } = limits.page;
  const bytes = Buffer.alloc(2 * pieceBytes + 10, 'weights ');
  await writeFile(join(home, 'models/copied.bin'), bytes);
  const volume = { name: 'copies', size: 10, dataCenterId: 'EU-RO-1' };
  const { id } = await client.resources.createVolume({ accountId: THIS_MACHINE, volume });
  const inVolume = (path: string) => ({ accountId: THIS_MACHINE, holder: { in: 'volume' as const, id }, path });
  const how = { sizeBytes: bytes.length, modifiedAt: 0, replaces: false, startsOver: false };
  const copy = async (from: FilePlace, to: FilePlace, sizeBytes = bytes.length) => {
    const begun = await client.files.beginUpload({ ...to, ...how, sizeBytes });
    for await (const { doneBytes } of await client.files.fillUpload({ ...begun, from, sizeBytes })) {
      expect(doneBytes).toBeLessThanOrEqual(sizeBytes);
    }
  };
  await copy(place('models/copied.bin'), inVolume('copied.bin'));
  await copy(inVolume('copied.bin'), place('back.bin'));
  expect(readFileSync(join(home, 'back.bin')).equals(bytes)).toBe(true);

  const { entries } = await client.files.list(inVolume(''));
  const { sizeBytes = 0, modifiedAt = '' } = entries[0] ?? {};
  const compare = async (to: string) => {
    const both = { from: inVolume('copied.bin'), to: place(to), sizeBytes, modifiedAt };
    for await (const { doneBytes } of await client.files.compare(both))
      expect(doneBytes).toBeLessThanOrEqual(sizeBytes);
  };
  await compare('back.bin');
  await writeFile(join(home, 'back.bin'), bytes.fill('x', bytes.length - 1));
  await expect(compare('back.bin')).rejects.toMatchObject({ code: 'CONFLICT', data: { sourceChanged: true } });
  // Of a volume, the engine answers with a status of its own for a byte behind the end.
  const tooLong = copy(inVolume('copied.bin'), inVolume('longer.bin'), bytes.length + pieceBytes);
  await expect(tooLong).rejects.toMatchObject({ code: 'CONFLICT', data: { sourceChanged: true } });
  await expect(copy(place('missing.bin'), inVolume('missing.bin'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(copy(place('back.bin'), inVolume('copied.bin'))).rejects.toMatchObject({ code: 'CONFLICT' });
  expect((await client.files.list(inVolume(''))).entries.map(({ name }) => name)).toEqual(['copied.bin']);
});

it('the folder of an endpoint is open wherever it is, and closed again without the endpoint', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'hangar-handler-'));
  cleanup.defer(() => rm(outside, { recursive: true, force: true, maxRetries: 5 }));
  await mkdir(join(outside, 'greet'));
  await writeFile(join(outside, 'secret'), 'secret');
  await writeFile(join(outside, 'greet', 'handler.mjs'), 'export default () => 1;');
  await symlink('../secret', join(outside, 'greet', 'link'));
  const template = { name: 'outside', imageName: pathToFileURL(join(outside, 'greet')).href, isServerless: true };
  const { endpointId: id } = await client.endpoints.create({
    accountId: THIS_MACHINE,
    template,
    endpoint: { name: 'outside' },
  });
  const inFolder = (path: string) => ({ accountId: THIS_MACHINE, holder: { in: 'handler' as const, id }, path });
  const read = (path: string) => client.files.read({ ...inFolder(path), from: 0, sizeBytes: 1 });
  expect((await client.files.list(inFolder(''))).entries.map(({ name }) => name)).toContain('handler.mjs');
  expect(await (await read('handler.mjs')).bytes.text()).toBe('export default () => 1;');
  await expect(read('link')).rejects.toThrow('goes through a link that leads out of the folder of the handler');
  await expect(read('../secret')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(client.files.list({ ...inFolder(''), accountId: 'another' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  const image = await client.endpoints.create({
    accountId: THIS_MACHINE,
    template: { name: 'of-image', imageName: 'python:3.12', isServerless: true },
    endpoint: { name: 'of-image' },
  });
  const ofImage = { ...inFolder(''), holder: { in: 'handler' as const, id: image.endpointId } };
  await expect(client.files.list(ofImage)).rejects.toThrow('runs an image: it has no folder on this computer');

  await client.endpoints.remove({ accountId: THIS_MACHINE, endpointId: id, withTemplate: false });
  await expect(client.files.list(inFolder(''))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(read('handler.mjs')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('a search in a folder that is not there says so', async () => {
  const search = async () => {
    for await (const _ of await client.files.search({ ...place('nowhere'), text: 'a' })) break;
  };
  await expect(search()).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
