/**
 * Pods in REST v2, as they run, every answer held against the published description and against the engine's own
 * document.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { whyNoContainers } from '../../support/containers/engine.ts';
import { until } from '../../support/core/until.ts';
import { openEvents } from '../../support/logs/events.ts';
import { whyNoV2Description } from '../../support/openapi/restV2.ts';
import { startPodEngine, type PodEngine } from '../../support/pods/podEngine.ts';
import { SHELL_IMAGE, stays } from '../../support/pods/pods.ts';
import { createRestV2Client, type RestV2Client } from '../../support/restV2/client.ts';
import { createMaker, type Made, type Maker } from '../../support/restV2/making.ts';
import { unanswered } from '../../support/restV2/operations.ts';
import { skipFor } from '../../support/core/skip.ts';

if (whyNoV2Description !== null) console.warn(`SKIPPED: ${whyNoV2Description}`);
const noContainers = whyNoContainers();

describe('a Pod', skipFor(noContainers), () => {
  let own: PodEngine;
  let client: RestV2Client;
  let maker: Maker;
  beforeAll(async () => {
    own = await startPodEngine();
    client = await createRestV2Client(own.engine);
    maker = createMaker(client);
  });
  afterEach(() => own.pods.deleteAll());
  afterAll(async () => {
    await client.stop();
    await own.close();
  });

  const small = { name: 'small', image: SHELL_IMAGE, cmd: stays(), cpu: { id: 'cpu3c', vcpuCount: 2 } };
  const read = async (id: string): Promise<Made> => (await maker.read('/pods/{id}', id)) as Made;
  const statusIs = (id: string, wanted: string): Promise<Made> =>
    until(
      `the Pod to be ${wanted}`,
      () => read(id),
      ({ status }) => status === wanted,
    );
  const act = (id: string, action: string) => client.ask('POST', '/pods/{id}/action', { action }, { params: { id } });
  const acted = async (id: string, action: string, wanted: string): Promise<Made> => {
    const { status, text } = await act(id, action);
    expect([action, status], text).toEqual([action, 200]);
    return statusIs(id, wanted);
  };

  test('is made, runs, is stopped, started, restarted and deleted, and tells what can be done with it each time', async () => {
    const made = await maker.make('/pods', {
      ...small,
      env: { A: '1' },
      disk: 20,
      ports: ['22/tcp', '8000/http'],
      startJupyter: true,
      startSsh: true,
      mounts: { persistent: { size: 10, path: '/data' } },
    });
    expect(made).toMatchObject({
      name: 'small',
      image: SHELL_IMAGE,
      cmd: stays(),
      entrypoint: [],
      disk: 20,
      registry: null,
      cloud: 'SECURE',
      env: { A: '1', JUPYTER_PASSWORD: expect.stringMatching(/^.{20,}$/) },
      ports: ['22/tcp', '8000/http'],
      mounts: { persistent: { size: 10, path: '/data' } },
      template: null,
      locked: false,
      dataCenterId: 'LOCAL-1',
      cpu: { id: 'CPU', vcpuCount: 2, memory: expect.any(Number) },
    });
    const { id } = made;
    const running = await statusIs(id, 'RUNNING');
    expect(running).toMatchObject({
      actions: ['stop', 'restart', 'terminate'],
      ssh: { proxy: null, direct: { host: '127.0.0.1', port: expect.any(Number), username: 'root' } },
    });
    const { ports } = running['runtime'] as { ports: { private: number; type: string; ip: string | null }[] };
    expect(ports).toEqual(
      expect.arrayContaining([
        { private: 22, type: 'tcp', public: expect.any(Number), ip: '127.0.0.1' },
        { private: 8000, type: 'http', public: null, ip: null },
      ]),
    );
    expect(((await maker.read('/pods'))['pods'] as Made[]).map((pod) => pod.id)).toEqual([id]);
    expect((await act(id, 'start')).status).toBe(409);
    await acted(id, 'restart', 'RUNNING');
    const stopped = await acted(id, 'stop', 'EXITED');
    expect(stopped).toMatchObject({ actions: ['start', 'terminate'], cost: 0, runtime: null, ssh: { direct: null } });
    const refusal = await act(id, 'restart');
    expect([refusal.status, refusal.json]).toMatchObject([
      409,
      { detail: expect.stringContaining('start, terminate') },
    ]);
    await acted(id, 'start', 'RUNNING');
    expect((await act(id, 'terminate')).status).toBe(204);
    expect((await maker.read('/pods'))['pods']).toEqual([]);
    expect(client.faults()).toEqual([]);
  });

  test('is changed in the fields that are named, and refuses what is fixed', async () => {
    const volume = await maker.make('/network-volumes', { name: 'v', size: 10, dataCenter: 'EU-RO-1' });
    const other = await maker.make('/network-volumes', { name: 'o', size: 10, dataCenter: 'EU-RO-1' });
    const network = [{ volumeId: volume.id, path: '/net' }];
    const { id } = await maker.make('/pods', { ...small, mounts: { network } });
    expect((await read(id))['mounts']).toEqual({ network });
    const template = await maker.make('/templates', {
      name: 't',
      image: SHELL_IMAGE,
      cmd: stays(),
      env: { A: '1', B: '1' },
    });
    expect(
      await maker.change('/pods', id, {
        name: 'other',
        templateId: template.id,
        env: { B: '2' },
        mounts: { network: [{ volumeId: volume.id, path: '/elsewhere' }] },
      }),
    ).toMatchObject({
      name: 'other',
      env: { A: '1', B: '2' },
      mounts: { network: [{ volumeId: volume.id, path: '/elsewhere' }] },
      template: null,
    });
    for (const mounts of [
      { network: [] },
      { network: [{ volumeId: other.id, path: '/net' }] },
      { persistent: { size: 10, path: '/data' } },
      { persistent: { size: 10, path: '/data' }, network },
    ]) {
      const { status } = await client.ask('PATCH', '/pods/{id}', { mounts }, { params: { id } });
      expect([mounts, status]).toEqual([mounts, 400]);
    }
    // The container from before the change runs on for a while, and may do so in the status RUNNING.
    await own.pods.running(id);
    expect(await maker.change('/pods', id, { locked: true })).toMatchObject({ locked: true, actions: ['restart'] });
    expect((await act(id, 'stop')).status).toBe(400);
    await maker.change('/pods', id, { locked: false });
    await maker.remove('/pods', id);
    expect(client.faults()).toEqual([]);
  });

  test('is made from a template, with what is said beside it on top', async () => {
    const template = await maker.make('/templates', {
      name: 'with jupyter',
      image: SHELL_IMAGE,
      cmd: stays(),
      env: { A: '1', B: '1' },
      disk: 30,
      mounts: { persistent: { size: 12, path: '/kept' } },
      ports: ['8888/http'],
    });
    const { cpu } = small;
    const made = await maker.make('/pods', { name: 'from it', cpu, templateId: template.id, env: { B: '2' } });
    expect(made).toMatchObject({
      env: { A: '1', B: '2', JUPYTER_PASSWORD: expect.any(String) },
      disk: 30,
      template: template.id,
      mounts: { persistent: { size: 12, path: '/kept' } },
      ports: ['8888/http'],
      cmd: stays(),
    });
    expect(client.faults()).toEqual([]);
  });

  test('that wants more memory or cores for each GPU than the machine has is refused', async () => {
    const { name, image } = small;
    const refusal = async (least: object) =>
      await client.ask('POST', '/pods', { name, image, gpu: { id: 'NVIDIA GeForce RTX 4090', ...least } });
    expect((await refusal({ minRamPerGpu: 100_000 })).text).toContain('100000 GB are wanted');
    expect((await refusal({ minVcpuCountPerGpu: 10_000 })).text).toContain('10000 cores are wanted');
    expect(client.faults()).toEqual([]);
  });

  test('whose image cannot be had tells that it failed', async () => {
    const made = await maker.make('/pods', { ...small, image: 'hangar-nothing-of-this-name:1' });
    const failed = await statusIs(made.id, 'ERROR');
    expect(failed['actions']).toEqual(['start', 'terminate']);
    expect(client.faults()).toEqual([]);
  });

  test('streams what its container writes', async () => {
    const { id } = await maker.make('/pods', { ...small, cmd: stays('echo hello') });
    await statusIs(id, 'RUNNING');
    await using events = await openEvents(own.engine, `/rest/v2/pods/${id}/logs`);
    const { id: ts, data } = await events.next();
    expect(JSON.parse(data)).toEqual({ source: 'container', line: 'hello', ts });
    client.hold('GET', '/pods/{id}/logs', { status: events.status, headers: events.headers, text: '', json: '' });
    expect(client.faults()).toEqual([]);
  });

  test('every operation on Pods was answered with success', () => {
    expect(unanswered('pods', client.succeeded)).toEqual([]);
  });
});
