import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeBalanced } from '../../support/loadBalancing/endpoint.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { createAsker } from '../../support/openapi/asking.ts';
import {
  documentSchema,
  operationsOf,
  referencesIn,
  resolved,
  type OpenApiDocument,
} from '../../support/openapi/document.ts';
import { openEvents, openLogEvents } from '../../support/logs/events.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';
import { startReceiver } from '../../support/webhooks/receiver.ts';
import { crashedTwice, NEVER_ENDS } from '../../support/engine/crashes.ts';
import { accepted, makeEndpoint, makeIdleEndpoint, NEVER_INSTALLED } from '../../support/resources/resources.ts';
import { servedRoutes } from '../../support/engine/served.ts';
import { changeSettings } from '../../support/engine/settings.ts';
import { differences, type Advice } from '../../support/core/differences.ts';
import { until } from '../../support/core/until.ts';

const PLACES = {
  'the job API': '/v2/openapi.json',
  'the management API': '/v1/openapi.json',
  'REST v2': '/rest/v2/openapi.json',
  'the engine': '/local/v1/openapi.json',
} as const;
type Place = keyof typeof PLACES;
const places = Object.keys(PLACES) as Place[];

let engine: TestEngine;
const documents = {} as Record<Place, OpenApiDocument>;
beforeAll(async () => {
  engine = await startEngine();
  for (const place of places) {
    const answer = await engine.http.get(PLACES[place], { authorization: null });
    documents[place] = documentSchema.parse(accepted(answer));
  }
});
afterAll(() => engine.close());

const operationPath = (path: string): string => path.replace(/^(\/v2\/\{endpointId\}\/[^/]+).*/, '$1');

test('every route that is served is in a document, and every operation of a document is served', async () => {
  const served = (await servedRoutes()).map(({ method, path }) => `${method} ${path}`);
  const documented = places.flatMap((place) =>
    operationsOf(documents[place]).map(({ method, path }) => `${method} ${operationPath(path)}`),
  );
  expect(served.length).toBeGreaterThan(25);
  const advice: Advice = {
    missing: (one) => `"${one}" is served, but in no document; give its route a description.`,
    extra: (one) => `"${one}" is not served; take out its description, or register its route.`,
  };
  expect(differences(documented, served, advice)).toEqual([]);
});

test('a 429 is documented where requests are counted, and nowhere else', async () => {
  const rated = (await servedRoutes()).filter((route) => route.rated).map(({ method, path }) => `${method} ${path}`);
  const documented = operationsOf(documents['the job API'])
    .filter(({ responses }) => '429' in responses)
    .map(({ method, path }) => `${method} ${operationPath(path)}`);
  expect(rated.length).toBeGreaterThan(7);
  const advice: Advice = {
    missing: (one) => `"${one}" counts requests; its description has to name 429.`,
    extra: (one) => `"${one}" counts no requests; take 429 out of its answers, or give its route a \`rate\`.`,
  };
  expect(differences(documented, rated, advice)).toEqual([]);
});

describe.each(places)('the document of %s', (place) => {
  test('refers to nothing that is not there, and holds nothing that is not referred to', () => {
    const document = documents[place];
    const references = new Set(referencesIn(document));
    expect([...references].filter((reference) => resolved(document, reference) === undefined)).toEqual([]);
    const { schemas, responses } = document.components;
    const there = [
      ...Object.keys(schemas).map((name) => `#/components/schemas/${name}`),
      ...Object.keys(responses).map((name) => `#/components/responses/${name}`),
    ];
    expect(there.filter((reference) => !references.has(reference))).toEqual([]);
  });

  test('gives each operation an id of its own, a known group, and exactly the parameters of its path', () => {
    const operations = operationsOf(documents[place]);
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const groups = documents[place].tags.map(({ name }) => name);
    for (const { path, parameters, tags } of operations) {
      expect(groups).toEqual(expect.arrayContaining(tags));
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      expect(inPath.every(({ required }) => required)).toBe(true);
      expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length);
    }
  });

  test('is served without a key, by GET only, to the hosts that may ask', async () => {
    expect((await engine.http.post(PLACES[place], {}, { authorization: null })).status).toBeGreaterThanOrEqual(400);
    expect((await engine.http.get(PLACES[place], { headers: { host: 'evil.example' } })).status).toBe(403);
    expect((await engine.http.get(PLACES[place])).headers['content-type']).toMatch(/^application\/json/);
  });
});

describe('real answers are as documented', () => {
  /** What to do about operations that were not asked, or need not be listed as such any more. */
  const advice: Advice = {
    missing: (one) => `openapi.spec.ts: "${one}" is asked by now; take it out of the list of what is not asked here.`,
    extra: (one) =>
      `openapi.spec.ts: "${one}" is not asked; ask it once in the test of its document (\`await ask(…)\`), with success.`,
  };

  test('of the job API and the worker protocol', async () => {
    const { id: endpointId } = await makeIdleEndpoint(engine);
    const values: Record<string, string> = { endpointId, workerId: 'w-documented', route: 'v1/models' };
    const { ask, calls, faults, unasked } = createAsker(engine, documents['the job API'], values);
    const at = (operation: string) => `/v2/{endpointId}/${operation}`;
    const submit = async (): Promise<void> => {
      const envelope = { input: { a: 1 }, policy: { ttl: 60_000 }, s3Config: { bucketName: 'b' }, extra: true };
      values['jobId'] = ((await ask('POST', at('run'), envelope)) as { id: string }).id;
    };
    const take = () => ask('GET', at('job-take/{workerId}'), undefined, '?gpu=x&job_in_progress=0');
    const done = (result: object, query = '?gpu=x&isStream=false') =>
      ask('POST', at('job-done/{workerId}/{jobId}'), result, query);
    const read = async (): Promise<void> => {
      for (const method of ['GET', 'POST']) {
        await ask(method, at('status/{jobId}'));
        await ask(method, at('stream/{jobId}'), undefined, '?wait=1000');
      }
      await ask('GET', at('stream/{jobId}'), undefined, '?envelope=true&wait=1000');
      await ask('GET', at('requests'));
    };

    await ask('GET', '/v2/openapi.json');
    await submit();
    await ask('GET', at('status/{jobId}'), undefined, '?ttl=100000');
    await take();
    await ask('GET', at('ping/{workerId}'), undefined, `?gpu=x&job_id=${values['jobId']}`);
    await ask('POST', at('job-stream/{workerId}/{jobId}'), { output: { word: 'a' }, metrics: { n: 1 } }, '?gpu=x');
    await done({ status: 'IN_PROGRESS', output: { percent: 5 } });
    await ask('GET', at('status/{jobId}'));
    await ask('GET', at('stream/{jobId}'), undefined, '?envelope=true');
    await done({ output: 'half', error: 'failed' });
    await read();
    await ask('POST', at('retry/{jobId}'), {});
    await take();
    await submit();
    await ask('GET', at('job-take-batch/{workerId}'), undefined, '?gpu=x&batch_size=5');
    await done({ output: [1, null] }, '?gpu=x&next=1');
    for (const method of ['GET', 'POST']) await ask(method, at('status-sync/{jobId}'), undefined, '?wait=1000');
    await read();
    await submit();
    const stop = ask('GET', at('job-stop/{workerId}'), undefined, '?gpu=x');
    await take();
    await ask('POST', at('cancel/{jobId}'), {});
    await stop;
    await read();
    await ask('POST', at('runsync'), { input: {} }, '?wait=1000');
    await ask('POST', at('purge-queue'));
    await ask('GET', at('health'));
    for (const [method, body] of [['GET'], ['POST', { model: 'm' }]] as const) {
      const answering = ask(method, at('openai/{route}'), body);
      values['jobId'] = ((await take()) as { id: string }).id;
      await done({ output: { object: 'list', data: [] } });
      await answering;
    }
    values['endpointId'] = (await makeBalanced(engine)).id;
    values['path'] = 'any/path';
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) await ask(method, '/lb/{endpointId}/{path}');
    await ask('POST', at('run'), { input: {} });
    values['endpointId'] = endpointId;
    expect(differences(unasked(), [], advice)).toEqual([]);
    await ask('GET', '/lb/{endpointId}/{path}');

    await ask('POST', at('run'), { input: 5 });
    await ask('POST', at('run'), { input: {} }, '', null);
    await ask('GET', at('openai/{route}'), undefined, '', null);
    await ask('POST', at('run'), `{"input":{"pad":"${'x'.repeat(10_500_000)}"}}`);
    await ask('POST', at('retry/{jobId}'));
    await ask('GET', at('requests'), undefined, '?limit=0');
    values['jobId'] = 'nobody';
    await read();
    await done({ output: 1 });
    await changeSettings(engine, { rates: { requestsPerWorker: 0, operations: { cancel: { requests: 1 } } } });
    // The first is taken where the last one is long ago.
    for (let sent = 0; sent < 3; sent++) await ask('POST', at('cancel/{jobId}'));
    expect(new Set(calls.map(({ answer }) => answer.status))).toEqual(new Set([200, 204, 400, 401, 404, 413, 429]));
    expect(await faults()).toEqual([]);
  });

  test('of the management API', async () => {
    const values: Record<string, string> = {};
    const { ask, calls, faults, unasked } = createAsker(engine, documents['the management API'], values);
    const resources: [path: string, parameter: string, body: () => object, change: object | null, query: string][] = [
      ['/v1/templates', 'templateId', () => ({ name: 'told', imageName: 'me/image' }), { readme: 'r' }, ''],
      [
        '/v1/endpoints',
        'endpointId',
        () => ({ templateId: values['templateId'], workersMax: 0 }),
        { workersMax: 0, minCudaVersion: '12.4' },
        '?includeTemplate=true&includeWorkers=true',
      ] as [string, string, () => object, object, string],
      [
        '/v1/networkvolumes',
        'networkVolumeId',
        () => ({ name: 'v', size: 1, dataCenterId: 'EU-RO-1' }),
        { size: 2 },
        '',
      ],
      [
        '/v1/containerregistryauth',
        'containerRegistryAuthId',
        () => ({ name: 'a', username: 'u', password: 'p' }),
        null,
        '',
      ] as [string, string, () => object, null, string],
    ];
    await ask('GET', '/v1/openapi.json', undefined, '', null);
    for (const [path, parameter, body, change, query] of resources) {
      values[parameter] = ((await ask('POST', path, body())) as { id: string }).id;
      await ask('GET', path, undefined, query);
      await ask('GET', `${path}/{${parameter}}`, undefined, query);
      if (change) {
        await ask('PATCH', `${path}/{${parameter}}`, change);
        await ask('POST', `${path}/{${parameter}}/update`, change);
      }
      await ask('POST', path, { name: 5 });
      await ask('GET', path, undefined, '', null);
    }
    await ask('GET', '/v1/endpoints', undefined, '?includeWorkers=maybe');
    await ask('DELETE', '/v1/templates/{templateId}');
    for (const [path, parameter] of resources.toReversed()) {
      await ask('DELETE', `${path}/{${parameter}}`);
      await ask('DELETE', `${path}/{${parameter}}`);
      await ask('GET', `${path}/{${parameter}}`);
    }
    await ask('GET', '/v1/pods', undefined, '?includeWorkers=true&desiredStatus=RUNNING&gpuTypeId=a,b');
    await ask('GET', '/v1/pods', undefined, '?includeMachine=1');
    // Workers are Pods that need no containers.
    const { endpoint } = await makeEndpoint(
      engine,
      { 'handler.mjs': 'export default () => 1;' },
      { endpoint: { workersMin: 1, workersMax: 1 } },
    );
    values['podId'] = await until(
      'a worker to be among the Pods',
      async () =>
        (await ask('GET', '/v1/pods', undefined, `?includeWorkers=true&endpointId=${endpoint.id}`)) as { id: string }[],
      (pods) => pods[0]?.id,
    );
    for (const query of ['', '?includeWorkers=true&includeMachine=true&includeTemplate=true']) {
      await ask('GET', '/v1/pods/{podId}', undefined, query);
    }
    for (const what of ['pods', 'endpoints', 'networkvolumes']) await ask('GET', `/v1/billing/${what}`);
    // The page is no JSON. Pods are made where there are containers: restDescription.spec.ts checks their answers.
    const notPods = unasked().filter((one) => !one.includes('/v1/pods'));
    expect(differences(notPods, ['GET /v1/docs'], advice)).toEqual([]);
    expect(new Set(calls.map(({ answer }) => answer.status))).toEqual(new Set([200, 204, 400, 401, 404]));
    expect(await faults()).toEqual([]);
  });

  test('of the engine', async () => {
    const { endpoint } = await makeEndpoint(engine, { 'handler.mjs': NEVER_ENDS }, { endpoint: { workersMax: 1 } });
    const { id } = accepted(await engine.http.post(`/v2/${endpoint.id}/run`, { input: {} })) as { id: string };
    const values: Record<string, string> = { id, pullId: 'none', podId: 'none' };
    const { ask, calls, faults, unasked } = createAsker(engine, documents['the engine'], values);
    await ask('GET', '/health', undefined, '', null);
    await ask('GET', '/local/v1/openapi.json', undefined, '', null);
    for (const path of ['machine', 'images', 'images/pulls', 'disk', 'engine', 'workers', 'volumes', 'endpoints']) {
      await ask('GET', `/local/v1/${path}`);
    }
    await ask('POST', '/local/v1/images', { name: 'NO IMAGE' });
    await ask('DELETE', '/local/v1/images/pulls/{pullId}');
    await ask('POST', '/graphql', { query: '{ myself { id } }' });
    await ask('POST', '/graphql', { query: '{ myself { shoeSize } }' });
    await ask('POST', '/graphql', { query: '{ myself { id } }' }, '', null);
    values['id'] = (
      accepted(
        await engine.http.post('/v1/networkvolumes', { name: 'documented', size: 1, dataCenterId: 'EU-RO-1' }),
      ) as { id: string }
    ).id;
    const podFiles = '/local/v1/pods/{podId}/files';
    for (const files of ['/local/v1/volumes/{id}/files', podFiles]) {
      await ask('POST', `${files}/folder`, { path: 'models' });
      await ask('PUT', `${files}/content`, '"text"', '?path=a');
      await ask('GET', `${files}/content`, undefined, '?path=a');
      await ask('GET', files, undefined, '?path=models');
      await ask('POST', `${files}/move`, { from: 'a', to: 'models/a' });
      await ask('DELETE', `${files}/content`, undefined, '?path=models');
      await ask('DELETE', `${files}/content`, undefined, '?path=models');
    }
    const ofEngine = ['changes', 'images/pulls/events', 'machine/events', 'workers/events', 'pods/events'];
    for (const name of ['volumes/{id}/files/events', ...ofEngine]) {
      await using events = await openEvents(engine, `/local/v1/${name.replace('{id}', values['id'])}`);
      const { data: text } = await events.next();
      const answer = { status: events.status, headers: events.headers, text, json: JSON.parse(text) as unknown };
      calls.push({ method: 'GET', path: `/local/v1/${name}`, answer });
    }
    values['id'] = id;
    await ask('GET', '/local/v1/jobs/{id}');
    await ask('GET', '/local/v1/logs', undefined, '?limit=5&before=1000');
    await ask('GET', '/local/v1/workers/lanes', undefined, `?endpointId=${endpoint.id}&sinceMs=1000`);
    {
      await using events = await openLogEvents(engine, '?after=0');
      const { json: text } = await events.next();
      const answer = { status: events.status, headers: events.headers, text, json: JSON.parse(text) as unknown };
      calls.push({ method: 'GET', path: '/local/v1/logs/events', answer });
    }
    await ask('GET', '/local/v1/settings');
    await ask('GET', '/local/v1/ssh');
    await ask('PATCH', '/local/v1/settings', { rates: { enabled: true } });
    await engine.http.post(`/v2/${endpoint.id}/cancel/${id}`);
    const inQueue = await makeIdleEndpoint(engine);
    const [first, second] = [await jobsOf(engine, inQueue.id).run({}), await jobsOf(engine, inQueue.id).run({})];
    values['id'] = inQueue.id;
    await ask('GET', '/local/v1/endpoints/{id}/queue', undefined, '?limit=5');
    await ask('GET', '/local/v1/endpoints/{id}/metrics', undefined, '?period=1h');
    await ask('GET', '/local/v1/endpoints/metrics', undefined, '?period=30d');
    for (const query of ['?period=15m', '?gpu=none']) await ask('GET', '/local/v1/gpus/history', undefined, query);
    await ask('GET', '/local/v1/machine/history', undefined, '?period=24h');
    await ask('POST', '/local/v1/folders', { imageName: 'file:///' });
    await ask('PUT', '/local/v1/endpoints/{id}/python', { python: null });
    // Neither its environment nor its check ends by itself: each can be stopped, however late.
    const repository = await makeEndpoint(engine, { 'handler.mjs': NEVER_ENDS, ...NEVER_INSTALLED });
    const hubFiles = join(fileURLToPath(repository.template.imageName), '.runpod');
    await mkdir(hubFiles);
    await writeFile(join(hubFiles, 'tests.json'), '{"tests": [{"name": "one", "input": {}}]}');
    values['id'] = repository.endpoint.id;
    await ask('GET', '/local/v1/endpoints/{id}/input');
    for (const action of ['environment', 'check']) {
      for (const method of ['GET', 'POST', 'DELETE']) await ask(method, `/local/v1/endpoints/{id}/${action}`);
    }
    values['id'] = second;
    await ask('POST', '/local/v1/jobs/{id}/move', { before: first });
    await ask('GET', '/local/v1/jobs', undefined, '?reader=a-reader');
    for (const tail of ['request', 'chunks']) await ask('GET', `/local/v1/jobs/{id}/${tail}`);
    await using crashed = await startEngine();
    const aside = await crashedTwice(crashed);
    for (const [method, path] of [
      ['GET', '/local/v1/set-aside'],
      ['POST', '/local/v1/jobs/{id}/release'],
    ] as const) {
      calls.push({ method, path, answer: await crashed.http.send(method, path.replace('{id}', aside), undefined) });
    }
    await ask('POST', '/local/v1/pause', { when: 'after-job', forMs: 60_000 });
    for (const method of ['GET', 'DELETE']) await ask(method, '/local/v1/pause');
    await using receiver = await startReceiver();
    const idleEndpoint = await makeIdleEndpoint(engine);
    const worker = createOutsideWorker(engine, idleEndpoint.id);
    const jobs = jobsOf(engine, idleEndpoint.id);
    const calling = await jobs.run({}, { webhook: `${receiver.origin}/told` });
    await worker.take();
    await worker.done(calling, { output: 1 });
    const delivered = await until(
      'the webhook to be delivered',
      async () => (await ask('GET', '/local/v1/webhooks', undefined, '?state=delivered&limit=5')) as { id: string }[],
      (list) => list[0],
    );
    values['id'] = delivered.id;
    await ask('GET', '/local/v1/webhooks/{id}');
    await ask('POST', '/local/v1/webhooks/{id}/redeliver');
    values['id'] = ((await ask('POST', '/local/v1/api-keys', { name: 'n' })) as { id: string }).id;
    await ask('GET', '/local/v1/api-keys');
    await ask('PATCH', '/local/v1/api-keys/{id}', { scope: 'read' });
    await ask('DELETE', '/local/v1/api-keys/{id}');
    const { code } = (await ask('POST', '/local/v1/pairing-codes', {})) as { code: string };
    await ask('POST', '/local/v1/pair', { code, name: 'paired' });
    await ask('GET', '/local/v1/terminals');
    // Asked for where there are containers: pods.spec.ts checks its answers by the same schema, containers/terminals.spec.ts opens and closes some.
    const deeper = ['/ports/{port}/check', '/ports/{port}/connect', '/files', '/files/content'];
    const tails = ['', '/events', '/metrics', '/logs', '/logs/events', '/terminal', '/ssh', ...deeper];
    const ofPods = tails.map((tail) => `GET /local/v1/pods/{podId}${tail}`);
    const inPlace = ['auto-stop', 'limits'].map((tail) => `/local/v1/pods/{podId}/${tail}`);
    const terminals = ['DELETE /local/v1/terminals/{id}', 'GET /local/v1/terminals/{id}/programs'];
    const images = ['DELETE /local/v1/images', 'POST /local/v1/images', 'DELETE /local/v1/images/pulls/{pullId}'];
    const others = [...inPlace.map((path) => `PATCH ${path}`), ...images, 'GET /local/v1/workers/{workerId}/terminal'];
    const changes = ['PUT /content', 'DELETE /content', 'POST /folder', 'POST /move'];
    const ofFiles = changes.map((one) => one.replace(' ', ` ${podFiles}`));
    const elsewhere = [...terminals, ...ofPods, ...others, ...ofFiles];
    expect(differences(unasked(), elsewhere, advice)).toEqual([]);
    await ask('DELETE', '/local/v1/terminals/{id}');
    await ask('GET', '/local/v1/terminals/{id}/programs');
    Object.assign(values, { podId: 'nobody', workerId: 'nobody', port: '80' });
    for (const one of ofPods) await ask('GET', one.slice('GET '.length));
    for (const path of inPlace) for (const body of [{}, { unknown: 0 }]) await ask('PATCH', path, body);
    await ask('GET', '/local/v1/workers/{workerId}/terminal');
    await ask('DELETE', '/local/v1/api-keys/{id}');
    await ask('PATCH', '/local/v1/settings', { unknown: true });
    await ask('GET', '/local/v1/workers', undefined, '', 'wrong');
    await ask('GET', '/local/v1/logs', undefined, '?limit=0');
    for (const path of ['logs/events', 'changes', 'images/pulls/events'])
      await ask('GET', `/local/v1/${path}`, undefined, '?after=x');
    await ask('GET', '/local/v1/jobs/{id}');
    expect(await faults()).toEqual([]);
  });
});
