/**
 * Answers of /v1 held against the description of the real service and the engine's own document, and its examples sent
 * as they are.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { whyNoContainers, type TestContainerEngine } from '../../support/containers/engine.ts';
import type { Answer } from '../../support/http/client.ts';
import { startPodContainers } from '../../support/pods/podEngine.ts';
import { SHELL_IMAGE, stays } from '../../support/pods/pods.ts';
import { makeEndpoint } from '../../support/resources/resources.ts';
import { createAnswerCheck, documentSchema } from '../../support/openapi/document.ts';
import { readDescription, type Described, type Description } from '../../support/openapi/restV1.ts';
import { until } from '../../support/core/until.ts';
import { skipFor } from '../../support/core/skip.ts';

/** By then some of the time of what runs is stored. */
const BILLED_MS = 5 * 60_000;

describe('the description of the real service', () => {
  const noContainers = whyNoContainers();
  let description: Description;
  let containers: TestContainerEngine | null = null;
  let engine: ClockedEngine;
  let own: Awaited<ReturnType<typeof createAnswerCheck>>;
  beforeAll(async () => {
    description = await readDescription();
    if (noContainers === null) containers = await startPodContainers();
    engine = await startClockedEngine(containers ? { env: { DOCKER_HOST: containers.host } } : {});
    own = await createAnswerCheck(documentSchema.parse((await engine.http.get('/v1/openapi.json')).json));
  });
  afterAll(async () => {
    await engine.close();
    await containers?.closeEmpty();
    await Promise.all([description.stop(), own.stop()]);
  });

  /** Sends requests to paths of the description, and collects what it does not allow in their answers. */
  function asker(values: Record<string, string>) {
    const faults: string[] = [];
    const operations = new Set<string>();
    async function ask(method: string, path: string, body?: object, query = '', key?: null): Promise<Answer> {
      const url = `/v1${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')}${query}`;
      const answer = await engine.http.send(method, url, body, key === null ? { authorization: null } : {});
      const answerFaults = [description.fault(method, path, answer), own.fault(method, `/v1${path}`, answer)];
      faults.push(...answerFaults.filter((fault) => fault !== null));
      if (answer.status < 300) operations.add(`${method} ${path}`);
      return answer;
    }
    return { ask, faults, operations };
  }
  /**
   * Fields of a schema that a record has not, not even as null. `within`: the fields that lead to the object in
   * question.
   */
  function absent(name: string, record: object, ...within: string[]): string[] {
    const at = within.reduce((object, field) => (object as Record<string, object>)[field]!, record);
    return description.fieldsOf(name, ...within).filter((field) => !Object.hasOwn(at, field));
  }
  const idOf = ({ json }: Answer): string => (json as { id: string }).id;

  test('allows every answer about templates, endpoints, volumes, registry auths and billing', async () => {
    const values: Record<string, string> = {};
    const { ask, faults, operations } = asker(values);
    const make = async (parameter: string, path: string, body: object): Promise<void> => {
      values[parameter] = idOf(await ask('POST', path, body));
    };
    await ask('GET', '/openapi.json', undefined, '', null);
    const auth = { name: 'described', username: 'u', password: 'p' };
    await make('containerRegistryAuthId', '/containerregistryauth', auth);
    await make('networkVolumeId', '/networkvolumes', { name: 'v', size: 5, dataCenterId: 'EU-RO-1' });
    await make('templateId', '/templates', { name: 'described', imageName: 'me/image', env: { A: '1' } });
    const { templateId, networkVolumeId, containerRegistryAuthId } = values;
    await make('endpointId', '/endpoints', {
      templateId,
      networkVolumeId,
      computeType: 'CPU',
      cpuFlavorIds: ['cpu3c'],
      minCudaVersion: '12.1',
      workersMax: 0,
      allowedCudaVersions: ['12.1'],
      gpuTypeIds: ['NVIDIA L4'],
    });
    const changes: [string, object][] = [
      ['/templates/{templateId}', { containerRegistryAuthId, readme: 'r' }],
      ['/endpoints/{endpointId}', { dataCenterIds: ['EU-RO-1'], networkVolumeIds: [] }],
      ['/networkvolumes/{networkVolumeId}', { size: 6 }],
    ];
    for (const [path, change] of changes) {
      await ask('PATCH', path, change);
      await ask('POST', `${path}/update`, change);
    }
    const all = [
      '/templates',
      '/templates/{templateId}',
      '/endpoints',
      '/endpoints/{endpointId}',
      '/networkvolumes',
      '/networkvolumes/{networkVolumeId}',
      '/containerregistryauth',
      '/containerregistryauth/{containerRegistryAuthId}',
      '/billing/pods',
      '/billing/endpoints',
      '/billing/networkvolumes',
    ];
    for (const path of all) {
      await ask('GET', path);
      await ask('GET', path, undefined, '', null);
    }
    const answerOf = async (path: string, query: string): Promise<object> =>
      (await ask('GET', path, undefined, query)).json as object;
    const template = await answerOf('/templates/{templateId}', '?includeEndpointBoundTemplates=true');
    const endpoint = await answerOf('/endpoints/{endpointId}', '?includeTemplate=true&includeWorkers=true');
    expect(absent('Template', template)).toEqual([]);
    expect(absent('Endpoint', endpoint)).toEqual([]);
    expect(absent('NetworkVolume', await answerOf('/networkvolumes/{networkVolumeId}', ''))).toEqual([]);
    expect(
      absent('ContainerRegistryAuth', await answerOf('/containerregistryauth/{containerRegistryAuthId}', '')),
    ).toEqual([]);
    await ask('DELETE', '/templates/{templateId}');
    for (const path of all.filter((one) => /\{.*\}/.test(one)).toReversed()) {
      if (path.includes('auth')) continue;
      await ask('DELETE', path);
    }
    await ask('DELETE', '/templates/{templateId}');
    await ask('DELETE', '/containerregistryauth/{containerRegistryAuthId}');
    for (const path of all) await ask('GET', path);
    expect(faults).toEqual([]);
    const unasked = description.operations
      .filter(({ path }) => !path.startsWith('/pods') && path !== '/docs')
      .map(({ method, path }) => `${method} ${path}`)
      .filter((one) => !operations.has(one));
    expect(unasked).toEqual([]);
  });

  test('would not allow a field of another type, a status of its own, or an error without words', () => {
    const answer = (status: number, json: unknown): Answer => ({
      status,
      json,
      headers: {},
      text: JSON.stringify(json),
    });
    const fault = (status: number, json: unknown): string | null =>
      description.fault('GET', '/endpoints', answer(status, json));
    expect(fault(200, [{ id: 'a', gpuCount: 1, template: { id: 'b' }, workers: [{ id: 'c', gpu: null }] }])).toBeNull();
    expect(fault(200, [{ id: 'a', gpuCount: '1' }])).toContain('/gpuCount');
    expect(fault(200, [{ id: 'a', template: { ports: '80/http' } }])).toContain('/template/ports');
    expect(fault(200, [{ id: 'a', workers: [{ desiredStatus: 'GONE' }] }])).toContain('desiredStatus');
    expect(fault(201, [])).toContain('not described');
    expect(fault(400, { error: 'words' })).toContain('no message');
  });

  test('allows workers as they are told with their endpoint', async () => {
    const { endpoint } = await makeEndpoint(
      engine,
      { 'handler.mjs': 'export default () => 1;\n' },
      { template: { env: { TOKEN: 'a secret' } }, endpoint: { workersMin: 1, workersMax: 1 } },
    );
    const { ask, faults } = asker({ endpointId: endpoint.id });
    const worker = await until(
      'a worker to be told',
      async () => (await ask('GET', '/endpoints/{endpointId}', undefined, '?includeWorkers=true')).json,
      (json) => (json as { workers: { endpointId: string; env: object }[] }).workers[0],
    );
    expect(worker).toMatchObject({ endpointId: endpoint.id, env: {}, desiredStatus: 'RUNNING' });
    // A network volume is told of to those who ask for it.
    expect(absent('Pod', worker)).toEqual(['networkVolume']);
    const asPods = (await engine.http.get(`/v1/pods?includeWorkers=true&includeMachine=true`)).json as object[];
    expect(asPods.map((pod) => absent('Pod', pod, 'machine'))).toEqual([[]]);
    await engine.advance(BILLED_MS);
    await until(
      'its time to be billed',
      async () => (await ask('GET', '/billing/endpoints', undefined, '?bucketSize=hour')).json,
      (json) => (json as unknown[]).length > 0,
    );
    expect(faults).toEqual([]);
  });

  /** What the example of a field that names something is in truth here. */
  const named = (body: Readonly<Record<string, unknown>>, there: Record<string, string>): object =>
    Object.fromEntries(
      Object.entries(body).map(([field, example]) => [
        field,
        typeof example === 'string' ? (there[field] ?? example) : example,
      ]),
    );
  const examplesOf = (pods: boolean): Described[] =>
    description.operations.filter(({ path }) => path.startsWith('/pods') === pods && path !== '/docs');

  test('every example of a query works as it is, each alone and all together', async () => {
    const template = await engine.http.post('/v1/templates', { name: 'asked for', imageName: 'me/image' });
    const templateId = idOf(template);
    const made = await engine.http.post('/v1/endpoints', { templateId, workersMax: 0 });
    const { ask, faults } = asker({ templateId, endpointId: idOf(made) });
    let sent = 0;
    const gets = description.operations.filter((one) => one.method === 'GET' && !/\{podId\}/.test(one.path));
    for (const { path, query } of gets) {
      const pairs = Object.entries(query).flatMap(([name, example]) =>
        [example].flat().map((one): [string, string] => [name, String(one)]),
      );
      for (const chosen of [...pairs.map((pair) => [pair]), pairs]) {
        if (chosen.length === 0) continue;
        const answer = await ask('GET', path, undefined, `?${new URLSearchParams(chosen).toString()}`);
        expect([path, chosen, answer.status]).toEqual([path, chosen, 200]);
        sent += 1;
      }
    }
    expect(sent).toBeGreaterThan(40);
    expect(faults).toEqual([]);
  });

  test('every example of a body works as it is, each field alone and all together', async () => {
    const values: Record<string, string> = {};
    const { ask, faults } = asker(values);
    let names = 0;
    const ground: Record<string, () => object> = {
      '/templates': () => ({ name: `example ${++names}`, imageName: 'me/image' }),
      '/endpoints': () => ({ templateId: values['templateId'] }),
      '/networkvolumes': () => ({ name: 'example', size: 0, dataCenterId: 'EU-RO-1' }),
      '/containerregistryauth': () => ({ name: `example ${++names}`, username: 'u', password: 'p' }),
    };
    values['templateId'] = idOf(await ask('POST', '/templates', ground['/templates']!()));
    values['endpointId'] = idOf(await ask('POST', '/endpoints', ground['/endpoints']!()));
    const there = { templateId: values['templateId'] };
    let sent = 0;
    for (const { method, path, body } of examplesOf(false)) {
      if (body === null) continue;
      const examples = named(body, there);
      const least = ground[path];
      const alone = Object.entries(examples).map(([field, example]) => ({ [field]: example as unknown }));
      for (const chosen of [...alone, examples]) {
        if (path.startsWith('/networkvolumes/')) {
          values['networkVolumeId'] = idOf(await ask('POST', '/networkvolumes', ground['/networkvolumes']!()));
        }
        const answer = await ask(method, path, { ...least?.(), ...chosen });
        expect([path, chosen, answer.status, answer.text.slice(0, 200)]).toEqual([
          path,
          chosen,
          200,
          expect.anything(),
        ]);
        // The names of some are unique, and their example is one.
        if (path === '/containerregistryauth') await engine.http.send('DELETE', `/v1${path}/${idOf(answer)}`);
        sent += 1;
      }
    }
    expect(sent).toBeGreaterThan(30);
    expect(faults).toEqual([]);
  });

  test('allows every answer about Pods, and its examples of them work', skipFor(noContainers), async () => {
    const values: Record<string, string> = {};
    const { ask, faults, operations } = asker(values);
    const small = { imageName: SHELL_IMAGE, dockerStartCmd: stays(), gpuCount: 0, name: 'described' };
    const auth = await ask('POST', '/containerregistryauth', { name: 'of Pods', username: 'u', password: 'p' });
    const there = { containerRegistryAuthId: idOf(auth) };
    const ids: string[] = [];
    const make = async (body: object): Promise<Answer> => {
      const answer = await ask('POST', '/pods', body);
      if (answer.status === 201) ids.push(idOf(answer));
      return answer;
    };
    const volume = await ask('POST', '/networkvolumes', { name: 'of Pods', size: 1, dataCenterId: 'LOCAL-1' });
    const pod = await make({ ...small, ports: ['8888/http', '9022/tcp'], networkVolumeId: idOf(volume) });
    values['podId'] = idOf(pod);
    await until(
      'the Pod to run',
      async () => (await ask('GET', '/pods/{podId}')).json,
      (json) => (json as { publicIp: string | null }).publicIp !== null,
    );
    const all =
      'includeMachine=true&includeNetworkVolume=true&includeSavingsPlans=true&includeTemplate=true&includeWorkers=true';
    const { json: whole } = await ask('GET', '/pods/{podId}', undefined, `?${all}`);
    expect(absent('Pod', whole as object)).toEqual([]);
    expect(absent('Pod', whole as object, 'machine')).toEqual([]);
    expect(absent('Pod', whole as object, 'machine', 'cpuType')).toEqual([]);
    expect(absent('Pod', whole as object, 'networkVolume')).toEqual([]);
    for (const path of ['/pods', '/pods/{podId}']) {
      await ask('GET', path);
      await ask('GET', path, undefined, `?${all}`);
      await ask('GET', path, undefined, '', null);
    }
    for (const action of ['restart', 'stop', 'start', 'reset']) await ask('POST', `/pods/{podId}/${action}`);
    for (const { method, path, body } of examplesOf(true)) {
      if (body === null) continue;
      const examples = named(body, there);
      const alone = Object.entries(examples).map(([field, example]) => ({ [field]: example as unknown }));
      for (const chosen of [...alone, examples]) {
        const creates = path === '/pods';
        const answer = creates ? await make({ ...small, ...chosen }) : await ask(method, path, chosen);
        expect([path, chosen, answer.status, answer.text.slice(0, 300)]).toEqual([
          path,
          chosen,
          creates ? 201 : 200,
          expect.anything(),
        ]);
      }
    }
    await engine.advance(BILLED_MS);
    await until(
      'their time to be billed',
      async () => (await ask('GET', '/billing/pods', undefined, '?grouping=podId')).json,
      (json) => (json as unknown[]).length > 0,
    );
    for (const id of ids) {
      values['podId'] = id;
      await ask('DELETE', '/pods/{podId}');
    }
    values['podId'] = 'nobody';
    await ask('GET', '/pods/{podId}');
    expect(faults).toEqual([]);
    const unasked = description.operations.map(({ method, path }) => `${method} ${path}`);
    expect(unasked.filter((one) => one.includes('/pods') && !one.includes('/billing') && !operations.has(one))).toEqual(
      [],
    );
  });
});
