/** Pods over HTTP, on real containers: what is asked for, what is answered, and what is refused. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { whyNoContainers, type TestContainerEngine } from '../../support/containers/engine.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import { startPodEngine, type PodEngine } from '../../support/pods/podEngine.ts';
import { containersOf, refused, SHELL_IMAGE, stays, volumeOf, wrote, type PodsOf } from '../../support/pods/pods.ts';
import { accepted, makeEndpoint } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';
import { skipFor } from '../../support/core/skip.ts';

const none = whyNoContainers();

describe('Pods', skipFor(none), () => {
  let started: PodEngine;
  let containers: TestContainerEngine;
  let engine: TestEngine;
  let pods: PodsOf;
  beforeAll(async () => {
    started = await startPodEngine();
    ({ containers, engine, pods } = started);
  });
  afterEach(() => pods.deleteAll());
  afterAll(() => started.close());

  test('POST /v1/pods answers 201 with the Pod, and its container is given its variables and its volume', async () => {
    const pod = await pods.make({
      name: 'mine',
      env: { GREETING: 'hello' },
      ports: ['8000/http', '9000/tcp'],
      // The file of this name is complete from the start.
      dockerStartCmd: stays('env > /workspace/.new; mv /workspace/.new /workspace/env'),
    });
    expect(pod).toMatchObject({
      name: 'mine',
      desiredStatus: 'RUNNING',
      image: SHELL_IMAGE,
      imageName: SHELL_IMAGE,
      gpu: null,
    });
    await pods.running(pod.id);
    const now = await pods.get(pod.id);
    const file = volumeOf(engine, pod.id, 'env');
    await until('it to write', () => existsSync(file));
    const variable = (name: string): string | undefined =>
      new RegExp(`^${name}=(.*)$`, 'm').exec(readFileSync(file, 'utf8'))?.[1];
    expect(variable('GREETING')).toBe('hello');
    expect(variable('RUNPOD_POD_ID')).toBe(pod.id);
    expect(variable('RUNPOD_GPU_COUNT')).toBe('0');
    expect(Number(variable('RUNPOD_TCP_PORT_9000'))).toBe(now.portMappings!['9000']);
    expect(variable('RUNPOD_TCP_PORT_8000')).toBeUndefined();
  });

  test('dockerArgs of POST /v1/pods is its command, split as a shell would, where dockerStartCmd names none', async () => {
    const script = `trap "exit 0" TERM; echo -n two\\ words > /workspace/said; while :; do sleep 0.1; done`;
    const dockerArgs = `/bin/sh -c '${script}'`;
    const { id } = await pods.make({ dockerStartCmd: [], dockerArgs });
    await wrote(engine, id, 'said', 'two words');
    const other = await pods.make({ dockerStartCmd: stays('echo -n own > /workspace/said'), dockerArgs });
    await wrote(engine, other.id, 'said', 'own');
  });

  test('a port of kind tcp answers from outside the container, at the port of portMappings', async () => {
    const { id } = await pods.make({
      ports: ['80/tcp'],
      dockerStartCmd: stays('echo served > /index.html; httpd -p 80 -h /'),
    });
    await pods.running(id);
    const { publicIp, portMappings } = await pods.get(id);
    const answerText = await until(
      'it to answer',
      async () =>
        await new Promise<string>((resolve) => {
          request({ host: publicIp!, port: portMappings!['80'], path: '/index.html', agent: false }, (response) =>
            resolve(text(response)),
          )
            .on('error', () => resolve(''))
            .end();
        }),
      (answer) => (answer === '' ? null : answer),
    );
    expect(answerText).toBe('served\n');
  });

  test.each([
    ['PATCH', ''],
    ['POST', '/update'],
  ])(
    '%s /v1/pods/{podId}%s changes a Pod: its name in place, its variables with a container made anew',
    async (method, suffix) => {
      const { id } = await pods.make({ dockerStartCmd: stays('echo -n "$WHO" > /workspace/who') });
      await pods.running(id);
      const [before] = await containersOf(containers, id);
      const named = await engine.http.send(method, `/v1/pods/${id}${suffix}`, { name: 'other' });
      expect(accepted(named)).toMatchObject({ id, name: 'other' });
      expect((await containersOf(containers, id))[0]!.Id).toBe(before!.Id);
      expect(accepted(await engine.http.send(method, `/v1/pods/${id}${suffix}`, { env: { WHO: 'me' } }))).toMatchObject(
        { env: { WHO: 'me' } },
      );
      await wrote(engine, id, 'who', 'me');
      expect((await containersOf(containers, id))[0]!.Id).not.toBe(before!.Id);
    },
  );

  test('changes of one Pod that come at once are all kept', async () => {
    const { id } = await pods.make();
    const changes = [
      { name: 'n' },
      { env: { A: '1' } },
      { ports: ['1234/tcp'] },
      { containerDiskInGb: 3 },
      { volumeMountPath: '/data' },
    ];
    await Promise.all(changes.map((change) => pods.change(id, change)));
    expect(await pods.get(id)).toMatchObject(Object.assign({}, ...changes) as object);
    await pods.running(id);
    expect(Object.keys((await pods.get(id)).portMappings!)).toEqual(['1234']);
    expect(await containersOf(containers, id)).toHaveLength(1);
  });

  test('a Pod that is deleted is gone with its container and its volume, and told of as TERMINATED for a while', async () => {
    const { id } = await pods.make({ dockerStartCmd: stays('touch /workspace/x') });
    await wrote(engine, id, 'x', '');
    const answer = await engine.http.send('DELETE', `/v1/pods/${id}`);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(await containersOf(containers, id)).toEqual([]);
    expect(readdirSync(join(engine.dataDir, 'pods'))).toEqual([]);
    expect(await pods.list()).toEqual([]);
    expect(await pods.list('?desiredStatus=TERMINATED')).toEqual(expect.arrayContaining([await pods.get(id)]));
    expect(await refused(engine, 'POST', `/v1/pods/${id}/start`)).toMatchObject({
      status: 404,
      message: expect.stringContaining('was deleted') as string,
    });
  });

  test('a locked Pod refuses stop, reset and delete, and says how it is unlocked', async () => {
    const { id } = await pods.make({ locked: true });
    for (const [method, path] of [
      ['POST', '/stop'],
      ['POST', '/reset'],
      ['DELETE', ''],
    ] as const) {
      const { status, message } = await refused(engine, method, `/v1/pods/${id}${path}`);
      expect([status, message]).toEqual([400, expect.stringContaining('change its "locked" to false')]);
    }
    expect((await pods.change(id, { locked: false })).locked).toBe(false);
    expect((await pods.act(id, 'stop')).desiredStatus).toBe('EXITED');
  });

  describe('what a Pod refers to', () => {
    test('is checked when it is made, and cannot be deleted as long as it uses it: the message names the Pod', async () => {
      const template = accepted(
        await engine.http.post('/v1/templates', {
          name: 'for pods',
          imageName: SHELL_IMAGE,
          env: { A: '1' },
          dockerStartCmd: stays(),
        }),
      ) as { id: string };
      const volume = accepted(
        await engine.http.post('/v1/networkvolumes', { name: 'shared', size: 1, dataCenterId: 'EU-RO-1' }),
      ) as {
        id: string;
      };
      const auth = accepted(
        await engine.http.post('/v1/containerregistryauth', { name: 'mine', username: 'u', password: 'p' }),
      ) as { id: string };
      const fields = {
        name: 'user of all',
        templateId: template.id,
        networkVolumeId: volume.id,
        containerRegistryAuthId: auth.id,
      };
      const answer = await engine.http.post('/v1/pods', { ...fields, gpuCount: 0, env: { B: '2' } });
      expect(answer.status).toBe(201);
      const { id } = answer.json as { id: string };
      expect(answer.json).toMatchObject({ env: { A: '1', B: '2' }, image: SHELL_IMAGE, networkVolumeId: volume.id });
      for (const path of [
        `/v1/templates/${template.id}`,
        `/v1/networkvolumes/${volume.id}`,
        `/v1/containerregistryauth/${auth.id}`,
      ]) {
        const { status, message } = await refused(engine, 'DELETE', path);
        expect([status, message]).toEqual([400, expect.stringContaining('the Pod "user of all"')]);
      }
      expect(await pods.get(id, '?includeTemplate=true&includeNetworkVolume=true&includeMachine=true')).toMatchObject({
        template: { id: template.id },
        networkVolume: { id: volume.id, name: 'shared' },
        machine: { gpuTypeId: 'CPU', dataCenterId: 'LOCAL-1' },
      });
      expect((await pods.get(id)).template).toBeUndefined();
      expect((await pods.get(id)).machine).toEqual({});
      await pods.delete(id);
      expect((await engine.http.send('DELETE', `/v1/templates/${template.id}`)).status).toBe(204);
    });

    test.each([
      [{}, 'imageName or templateId is needed'],
      [{ imageName: 'file:///tmp' }, 'which only endpoints run'],
      [{ imageName: SHELL_IMAGE, templateId: 'gone' }, 'names no template'],
      [{ imageName: SHELL_IMAGE, ports: ['80'] }, 'ports'],
      [{ imageName: SHELL_IMAGE, gpuCount: -1 }, 'gpuCount'],
      [{ imageName: SHELL_IMAGE, env: { A: 1 } }, 'env'],
      [{ imageName: SHELL_IMAGE, name: 'x'.repeat(192) }, 'name'],
      [{ imageName: SHELL_IMAGE, volumeMountPath: 'relative' }, 'volumeMountPath'],
    ])('%j is refused with 400 in words', async (body, words) => {
      expect(await refused(engine, 'POST', '/v1/pods', body)).toMatchObject({
        status: 400,
        message: expect.stringContaining(words) as string,
      });
      expect(await pods.list()).toEqual([]);
    });
  });

  test('GET /v1/pods lists those that every filter fits, and workers to those who ask for them', async () => {
    const one = await pods.make({ name: 'one', env: {} });
    const two = await pods.make({ name: 'two' });
    await pods.act(two.id, 'stop');
    const ids = async (query: string): Promise<string[]> => (await pods.list(query)).map(({ id }) => id);
    expect(await ids('')).toEqual([one.id, two.id]);
    expect(await ids('?name=one')).toEqual([one.id]);
    expect(await ids(`?id=${two.id}`)).toEqual([two.id]);
    expect(await ids('?desiredStatus=EXITED')).toEqual([two.id]);
    expect(await ids('?computeType=CPU&desiredStatus=RUNNING')).toEqual([one.id]);
    expect(await ids('?computeType=GPU')).toEqual([]);
    expect(await ids(`?imageName=${SHELL_IMAGE}`)).toEqual([one.id, two.id]);
    for (const nobody of [
      'imageName=x',
      'templateId=x',
      'networkVolumeId=x',
      'endpointId=x',
      'gpuTypeId=x',
      'cpuFlavorId=cpu3c',
      'dataCenterId=EU-RO-1',
    ]) {
      expect(await ids(`?${nobody}`)).toEqual([]);
    }
    expect(await ids('?dataCenterId=EU-RO-1&dataCenterId=LOCAL-1')).toEqual([one.id, two.id]);
    expect((await engine.http.get('/v1/pods?includeMachine=yes')).status).toBe(400);
    const { endpoint } = await makeEndpoint(
      engine,
      { 'handler.mjs': 'export default () => null;\n' },
      { endpoint: { workersMin: 1, computeType: 'CPU' } },
    );
    const [worker] = await until(
      'a worker',
      () => pods.list(`?includeWorkers=true&endpointId=${endpoint.id}`),
      (list) => list.length > 0,
    );
    expect(worker).toMatchObject({ endpointId: endpoint.id, name: endpoint.name, desiredStatus: 'RUNNING' });
    expect(await pods.get(worker!.id, '?includeWorkers=true')).toMatchObject({ id: worker!.id });
    expect(await ids(`?endpointId=${endpoint.id}`)).toEqual([]);
    await engine.http.send('DELETE', `/v1/endpoints/${endpoint.id}`);
  });

  test('a key that may only read lists Pods and changes none', async () => {
    const { key } = accepted(await engine.http.post('/local/v1/api-keys', { name: 'reads', scope: 'read' })) as {
      key: string;
    };
    const { id } = await pods.make();
    const as = { authorization: `Bearer ${key}` };
    expect((await engine.http.get(`/v1/pods/${id}`, as)).status).toBe(200);
    for (const [method, path] of [
      ['POST', ''],
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
      ['POST', `/${id}/stop`],
      ['POST', `/${id}/update`],
    ] as const) {
      const body = method === 'DELETE' ? undefined : {};
      expect((await engine.http.send(method, `/v1/pods${path}`, body, as)).status).toBe(403);
    }
    expect((await engine.http.get('/v1/pods', { authorization: null })).status).toBe(401);
    expect((await engine.http.get('/v1/pods/nobody')).status).toBe(404);
  });
});
