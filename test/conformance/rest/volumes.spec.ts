/** Network volumes and container registry auths. */
import { chmodSync, existsSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localVolumeSchema, registryAuthSchema, volumeSchema, type NetworkVolume } from '#contract/api/resources.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { accepted, makeEndpoint } from '../../support/resources/resources.ts';
import { filesWith } from '../../support/disk/secretsInFiles.ts';
import { until } from '../../support/core/until.ts';
import { messageOf } from '../../support/http/client.ts';
import { needsPosix } from '../../support/core/skip.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

async function makeVolume(name = 'Models & data'): Promise<NetworkVolume> {
  return volumeSchema.parse(
    accepted(await engine.http.post('/v1/networkvolumes', { name, size: 20, dataCenterId: 'EU-RO-1' })),
  );
}
async function folderOf(id: string): Promise<string> {
  const listed = localVolumeSchema.array().parse(accepted(await engine.http.get('/local/v1/volumes')));
  return listed.find((volume) => volume.id === id)!.folder;
}
let templates = 0;
const makeTemplate = async (fields: object = {}) =>
  engine.http.post('/v1/templates', { name: `template ${++templates}`, imageName: 'me/image', ...fields });

describe('network volumes', () => {
  test('a network volume is a folder of this machine, named for it', async () => {
    const volume = await makeVolume();
    expect(volume).toEqual({ id: volume.id, name: 'Models & data', size: 20, dataCenterId: 'EU-RO-1' });
    const folder = await folderOf(volume.id);
    expect(existsSync(folder)).toBe(true);
    expect(path.basename(folder)).toBe(`models-data-${volume.id}`);
    expect(accepted(await engine.http.get(`/v1/networkvolumes/${volume.id}`))).toEqual(volume);
  });

  test.each([['PATCH', ''] as const, ['POST', '/update'] as const])(
    'a network volume is changed by %s (path suffix "%s"), and its folder stays',
    async (method, suffix) => {
      const volume = await makeVolume();
      const folder = await folderOf(volume.id);
      const changed = await engine.http.send(method, `/v1/networkvolumes/${volume.id}${suffix}`, { name: 'new' });
      expect(accepted(changed)).toEqual({ ...volume, name: 'new' });
      expect(await folderOf(volume.id)).toBe(folder);
    },
  );

  test(
    'the folder of a network volume of an earlier version is opened to every user of a container once, and no link is followed',
    needsPosix,
    async () => {
      await using own = await startEngine();
      const make = async (name: string): Promise<string> => {
        const body = { name, size: 1, dataCenterId: 'EU-RO-1' };
        const { id } = volumeSchema.parse(accepted(await own.http.post('/v1/networkvolumes', body)));
        return path.join(own.dataDir, 'volumes', `${name}-${id}`);
      };
      const [old, closed, linked] = [await make('old'), await make('closed'), await make('linked')];
      const elsewhere = path.join(own.dataDir, 'elsewhere');
      const modes = () => [old, closed, elsewhere].map((folder) => (statSync(folder).mode & 0o777).toString(8));
      await own.stop();
      {
        using database = new DatabaseSync(path.join(own.dataDir, 'engine.db'));
        database.exec("UPDATE volume SET record = json_remove(record, '$.isOpenedToAll')");
      }
      renameSync(linked, elsewhere);
      symlinkSync(elsewhere, linked);
      for (const folder of [old, elsewhere]) chmodSync(folder, 0o755);
      chmodSync(closed, 0o700);
      await own.restart();
      expect(modes()).toEqual(['777', '700', '755']);
      await own.stop();
      // What a container sets later.
      chmodSync(old, 0o755);
      await own.restart();
      expect(modes()).toEqual(['755', '700', '755']);
      await until(
        'the warning',
        () => own.stderr,
        (text) => text.includes('could not be opened to every user'),
      );
    },
  );

  test('a network volume that an endpoint uses is not deleted, and the message names the endpoint', async () => {
    const volume = await makeVolume();
    const { id: templateId } = accepted(await makeTemplate()) as { id: string };
    const body = { name: 'painter', templateId, workersMax: 0, networkVolumeId: volume.id };
    const endpoint = accepted(await engine.http.post('/v1/endpoints', body)) as { id: string };
    expect(endpoint).toMatchObject({ networkVolumeIds: [volume.id] });
    const refused = await engine.http.send('DELETE', `/v1/networkvolumes/${volume.id}`);
    expect(refused.status).toBe(400);
    expect(messageOf(refused)).toContain('"painter"');
    accepted(await engine.http.send('PATCH', `/v1/endpoints/${endpoint.id}`, { networkVolumeIds: [] }));
    const folder = await folderOf(volume.id);
    writeFileSync(path.join(folder, 'weights'), 'many');
    expect((await engine.http.send('DELETE', `/v1/networkvolumes/${volume.id}`)).status).toBe(204);
    expect(existsSync(folder)).toBe(false);
    expect((await engine.http.get(`/v1/networkvolumes/${volume.id}`)).status).toBe(404);
  });

  test('an endpoint that names an unknown network volume is refused with its id', async () => {
    const { id: templateId } = accepted(await makeTemplate()) as { id: string };
    const refused = await engine.http.post('/v1/endpoints', { templateId, networkVolumeIds: ['nowhere'] });
    expect(refused.status).toBe(400);
    expect(messageOf(refused)).toContain('"nowhere"');
  });
});

test('a handler of a folder finds the network volume of its endpoint at HANGAR_VOLUME', async () => {
  const volume = await makeVolume('shared');
  const { endpoint } = await makeEndpoint(
    engine,
    {
      'handler.mjs': `import { readFileSync } from 'node:fs';
        export default () => readFileSync(process.env.HANGAR_VOLUME + '/weights', 'utf8');`,
    },
    { endpoint: { networkVolumeIds: [volume.id] } },
  );
  writeFileSync(path.join(await folderOf(volume.id), 'weights'), 'many');
  const jobs = jobsOf(engine, endpoint.id);
  expect(await jobs.finished(await jobs.run({}))).toMatchObject({ status: 'COMPLETED', output: 'many' });
});

describe('container registry auths', () => {
  const secret = 'hunter2-of-the-registry';
  let made = 0;
  const create = async () =>
    registryAuthSchema.parse(
      accepted(
        await engine.http.post('/v1/containerregistryauth', {
          name: `auth ${++made}`,
          username: 'me',
          password: secret,
        }),
      ),
    );

  test('a container registry auth tells its id and name, and its password lies nowhere in plain text', async () => {
    const auth = await create();
    expect(auth).toEqual({ id: auth.id, name: `auth ${made}` });
    expect(accepted(await engine.http.get(`/v1/containerregistryauth/${auth.id}`))).toEqual(auth);
    expect(accepted(await engine.http.get('/v1/containerregistryauth'))).toContainEqual(auth);
    expect(await filesWith(engine.dataDir, secret)).toEqual([]);
  });

  test('deleting a container registry auth answers 204, and 400 for an id that there is not', async () => {
    const { id } = await create();
    expect((await engine.http.send('DELETE', `/v1/containerregistryauth/${id}`)).status).toBe(204);
    expect((await engine.http.send('DELETE', `/v1/containerregistryauth/${id}`)).status).toBe(400);
  });

  test('a container registry auth that a template uses is not deleted, and the message names the template', async () => {
    const auth = await create();
    const template = accepted(await makeTemplate({ containerRegistryAuthId: auth.id })) as { id: string; name: string };
    const refused = await engine.http.send('DELETE', `/v1/containerregistryauth/${auth.id}`);
    expect(refused.status).toBe(400);
    expect(messageOf(refused)).toContain(template.name);
  });

  test('a template that names an unknown container registry auth is refused with its id', async () => {
    const refused = await makeTemplate({ containerRegistryAuthId: 'nobody' });
    expect(refused.status).toBe(400);
    expect(messageOf(refused)).toContain('"nobody"');
  });
});
