/** The files on the disk of a Pod's container over HTTP, on a container engine of the test's own. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pino } from 'pino';
import { limits } from '#contract/core/limits.ts';
import { volumeListingSchema, type VolumeListing } from '#contract/local/files.ts';
import { createFilesApi } from '../../../main/app/compute/files.ts';
import { createOutbound } from '../../../main/app/compute/http/outbound.ts';
import { whyNoContainers } from '../../support/containers/engine.ts';
import { createFakeClock } from '../../support/core/fakeClock.ts';
import { skipFor } from '../../support/core/skip.ts';
import { until } from '../../support/core/until.ts';
import type { Answer } from '../../support/http/client.ts';
import { startPodEngine, type PodEngine } from '../../support/pods/podEngine.ts';
import { containersOf, stays } from '../../support/pods/pods.ts';
import { accepted } from '../../support/resources/resources.ts';

const ODD_NAMES = ['a b', '-rf', '.hidden', '..two dots', '*', '$(touch x)', `it's "it"`, 'line\nbreak', 'é', '\\n'];

describe('the files in the container of a Pod', skipFor(whyNoContainers()), () => {
  let own: PodEngine;
  beforeAll(async () => {
    own = await startPodEngine();
  });
  afterEach(() => own.pods.deleteAll());
  afterAll(() => own.close());

  const at = (id: string, tail = '', path?: string): string =>
    `/local/v1/pods/${id}/files${tail}${path === undefined ? '' : `?path=${encodeURIComponent(path)}`}`;
  const list = async (id: string, path: string): Promise<VolumeListing> =>
    volumeListingSchema.parse(accepted(await own.engine.http.get(at(id, '', path))));
  const namesIn = async (id: string, path: string): Promise<string[]> =>
    (await list(id, path)).entries.map(({ name, kind }) => `${kind} ${name}`);
  const read = (id: string, path: string, range?: string): Promise<Answer> =>
    own.engine.http.get(at(id, '/content', path), range === undefined ? {} : { headers: { range } });
  const write = (id: string, path: string, body: string | Uint8Array, headers = {}): Promise<Answer> =>
    own.engine.http.send('PUT', at(id, '/content', path), body, { headers });
  const refusal = ({ status, json }: Answer): [number, string] => [status, (json as { message: string }).message];
  /** What `script` prints in the container of a Pod, in parts with a head each. */
  async function inContainer(id: string, script: string): Promise<string> {
    const container = own.containers.docker.getContainer((await containersOf(own.containers, id))[0]!.Id);
    const exec = await container.exec({ Cmd: ['sh', '-c', script], AttachStdout: true });
    return String(Buffer.concat(await (await exec.start({})).toArray()));
  }
  /** A Pod that has run `script`. */
  async function podAfter(script: string, fields: object = {}): Promise<string> {
    const { id } = await own.pods.make({ dockerStartCmd: stays(`${script}; : > /tmp/ready`), ...fields });
    await until(
      'the script to have run',
      async () => (await read(id, 'tmp/ready')).status,
      (status) => status === 200,
    );
    return id;
  }

  test('are listed with their sizes, times and links, whatever their names are', async () => {
    const id = await podAfter(
      'mkdir -p /odd/folder /empty; printf 12345 > /odd/five; touch -d "2020-05-06 07:08:09" /odd/five; ' +
        'ln -s five /odd/link; ln -s folder /odd/door; ln -s nowhere /odd/broken',
    );
    for (const name of ODD_NAMES) accepted(await write(id, `odd/${name}`, name));
    const { entries, truncated } = await list(id, 'odd');
    expect(truncated).toBe(false);
    const byName = new Map(entries.map((entry) => [entry.name, entry]));
    expect([...byName.keys()].toSorted()).toEqual(
      [...ODD_NAMES, 'folder', 'five', 'link', 'door', 'broken'].toSorted(),
    );
    expect(byName.get('five')).toEqual({
      name: 'five',
      kind: 'file',
      sizeBytes: 5,
      modifiedAt: '2020-05-06T07:08:09.000Z',
    });
    expect(byName.get('link')).toMatchObject({ kind: 'file', sizeBytes: 5, isLink: true });
    expect(byName.get('door')).toMatchObject({ kind: 'folder', isLink: true });
    expect(byName.get('broken')).toMatchObject({ kind: 'other', isLink: true });
    expect(entries.slice(0, 2).map(({ name }) => name)).toEqual(['door', 'folder']);
    for (const name of ODD_NAMES) expect((await read(id, `odd/${name}`)).text).toBe(name);
    expect(await namesIn(id, 'empty')).toEqual([]);
    expect(await namesIn(id, '')).toContain('folder odd');
    expect(await namesIn(id, '/odd/door/')).toEqual([]);
    expect((await own.engine.http.get(at(id, '', 'odd/../etc'))).status).toBe(400);
    expect((await own.engine.http.get(at(id, '', 'odd/five'))).status).toBe(400);
    expect((await own.engine.http.get(at(id, '', 'none'))).status).toBe(404);
  });

  test('are written whole or not at all, and read in ranges', async () => {
    const id = await podAfter(
      'mkdir /data; printf old > /data/script; chmod 750 /data/script; ln -s script /data/link',
    );
    const large = Array.from({ length: 60_000 }, (_, n) => String(n).padStart(10)).join('');
    expect(accepted(await write(id, 'data/large', large))).toMatchObject({ name: 'large', sizeBytes: 600_000 });
    const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
    expect(sha((await read(id, 'data/large')).text)).toBe(sha(large));
    const part = await read(id, 'data/large', 'bytes=65000-199999');
    expect(part.status).toBe(206);
    expect(part.headers['content-range']).toBe('bytes 65000-199999/600000');
    expect(sha(part.text)).toBe(sha(large.slice(65_000, 200_000)));
    expect((await read(id, 'data/large', 'bytes=600000-')).status).toBe(416);
    expect((await read(id, 'data')).status).toBe(409);
    expect(accepted(await write(id, 'data/empty', ''))).toMatchObject({ sizeBytes: 0 });
    expect((await read(id, 'data/empty')).text).toBe('');

    const anew = { 'if-none-match': '*' };
    expect(refusal(await write(id, 'data/script', 'new', anew))[0]).toBe(409);
    expect((await read(id, 'data/script')).text).toBe('old');
    accepted(await write(id, 'data/script', 'new'));
    // What a link leads to is written.
    accepted(await write(id, 'data/link', 'linked'));
    expect((await read(id, 'data/script')).text).toBe('linked');
    accepted(await write(id, 'data/anew', 'anew', anew));
    expect(refusal(await write(id, 'none/file', 'x'))).toEqual([
      404,
      'There is no folder for "/none/file" in the container. Make it first.',
    ]);
    expect(refusal(await write(id, 'data', 'x'))[0]).toBe(409);
    expect(refusal(await write(id, 'proc/new', 'x'))[0]).toBeGreaterThanOrEqual(400);
    expect(await inContainer(id, 'stat -c %a /data/script')).toContain('750');

    // The app reads in pieces, which are one program after the first, and none once it leaves.
    await inContainer(
      id,
      'cd /data; head -c 9000000 /dev/urandom > pieces; dd if=/dev/zero of=sparse bs=1 count=0 seek=1G',
    );
    const outbound = createOutbound({
      target: () => Promise.resolve(own.engine.http),
      name: 'the engine',
      logger: pino({ level: 'silent' }),
      // Without a next piece, it would leave after a while.
      clock: createFakeClock(),
    });
    const readPiece = (from: number, name = 'pieces') =>
      createFilesApi(outbound).read({ in: 'container', id }, `data/${name}`, from, 2 ** 20);
    const pieces: Uint8Array[] = [];
    for (let from = 0; from < 9_000_000; from += 2 ** 20) pieces.push(await readPiece(from));
    expect(await inContainer(id, 'sha256sum /data/pieces')).toContain(
      createHash('sha256').update(Buffer.concat(pieces)).digest('hex'),
    );
    for (const from of [0, 2 ** 20]) await readPiece(from, 'sparse');
    const isReading = async (): Promise<boolean> =>
      (await inContainer(id, "grep -l '/data/spars[e]' /proc/[0-9]*/cmdline 2>/dev/null")) !== '';
    expect(await isReading()).toBe(true);
    await outbound.stop();
    await until('the program that reads to be gone', isReading, false);

    // A caller that leaves in between leaves nothing behind.
    const { address, key } = own.engine.http;
    const sending = request(new URL(at(id, '/content', 'data/half'), address), {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-length': 10 ** 8 },
    });
    const broken = once(sending, 'error');
    // The engine cuts a body off that comes too slowly.
    const more = setInterval(() => sending.write('half'.repeat(2048)), 100);
    sending.once('close', () => clearInterval(more));
    const hasPart = async (): Promise<boolean> => (await inContainer(id, 'ls -a /data')).includes('.hangar-part');
    await until('a part to be written', hasPart, true);
    expect(await namesIn(id, 'data')).not.toContain(expect.stringContaining('part'));
    expect(await hasPart()).toBe(true);
    sending.destroy(new Error('left'));
    await broken;
    await until('the part to be gone', hasPart, false);
    expect((await read(id, 'data/half')).status).toBe(404);
  });

  test('are moved and deleted, but no folder with a volume in it', async () => {
    const id = await podAfter('mkdir -p /tree/deep; printf x > /tree/deep/x; printf y > /workspace/y', {
      volumeInGb: 1,
    });
    const { http } = own.engine;
    const move = (from: string, to: string): Promise<Answer> => http.post(at(id, '/move'), { from, to });
    const remove = (path: string, more = ''): Promise<Answer> =>
      http.send('DELETE', `${at(id, '/content', path)}${more}`);
    expect(accepted(await http.post(at(id, '/folder'), { path: 'tree/new' }))).toMatchObject({ kind: 'folder' });
    expect((await http.post(at(id, '/folder'), { path: 'tree/new' })).status).toBe(409);
    expect((await http.post(at(id, '/folder'), { path: 'none/new' })).status).toBe(404);
    expect(accepted(await move('tree/deep/x', 'tree/-x'))).toMatchObject({ name: '-x', kind: 'file', sizeBytes: 1 });
    expect((await move('tree/-x', 'tree/new')).status).toBe(409);
    expect((await move('tree', 'tree/new/tree')).status).toBe(400);
    expect(refusal(await move('tree/none', 'tree/b'))).toEqual([404, 'There is no "/tree/none" in the container.']);
    expect((await remove('tree', '&onlyEmpty=true')).status).toBe(409);
    expect((await remove('tree/new', '&onlyEmpty=true')).status).toBe(204);
    expect(await namesIn(id, 'tree')).toEqual(['folder deep', 'file -x']);
    expect((await remove('tree')).status).toBe(204);
    expect((await remove('tree')).status).toBe(404);
    expect(refusal(await remove('workspace'))).toEqual([409, expect.stringContaining('a volume or another mount')]);
    expect((await remove('')).status).toBe(400);
    expect(await namesIn(id, 'workspace')).toEqual(['file y']);
  });

  test('are as many in a list as the limit says, and the list says that there are more', async () => {
    const { entries: most } = limits.volumeFiles;
    // In memory: to make so many on a disk takes seconds.
    const id = await podAfter(`mkdir /dev/shm/many; cd /dev/shm/many; touch $(seq ${most})`);
    const exact = await list(id, 'dev/shm/many');
    expect(exact.entries).toHaveLength(most);
    expect(exact.truncated).toBe(false);
    await inContainer(id, `cd /dev/shm/many; touch $(seq ${most} ${most + 300})`);
    const many = await list(id, 'dev/shm/many');
    expect(many.entries).toHaveLength(most);
    expect(many.truncated).toBe(true);
  });

  test('need a container that runs and an image with a shell, and the refusal says so', async () => {
    const id = await podAfter(':', { name: 'sleeper' });
    await own.pods.act(id, 'stop');
    const stopped = await until(
      'the list to be refused',
      () => own.engine.http.get(at(id, '', '')),
      ({ status }) => status !== 200,
    );
    expect(refusal(stopped)).toEqual([
      409,
      expect.stringContaining('The container of the Pod "sleeper" is not running'),
    ]);
    expect((await own.engine.http.get(at('none', '', ''))).status).toBe(404);

    const { id: bare } = await own.pods.make({ dockerStartCmd: stays('rm /bin/sh') });
    await own.pods.running(bare);
    const refusing = await until(
      'the shell to be gone',
      () => own.engine.http.get(at(bare, '', '')),
      ({ status }) => status !== 200 && status !== 409,
    );
    expect(refusal(refusing)).toEqual([400, expect.stringContaining('has no shell (sh)')]);
    expect(refusal(await write(bare, 'file', 'text'))).toEqual([400, expect.stringContaining('has no shell (sh)')]);
  });
});
