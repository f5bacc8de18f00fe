import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { endpointSchema, templateSchema, type Template } from '#contract/api/resources.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { accepted, makeEndpoint, writeHandler } from '../../support/resources/resources.ts';
import { messageOf } from '../../support/http/client.ts';

let engine: TestEngine;
let imageName: string;
beforeAll(async () => {
  engine = await startEngine();
  imageName = await writeHandler(engine, { 'handler.mjs': 'export default () => 1;\n' });
});
afterAll(() => engine.close());

let made = 0;
const makeTemplate = async (fields: object = {}): Promise<Template> =>
  templateSchema.parse(
    accepted(await engine.http.post('/v1/templates', { name: `template ${++made}`, imageName, ...fields })),
  );

/** GET of a record again, which is what counts. */
const read = async (path: string) => accepted(await engine.http.get(path));

describe('templates', () => {
  test('a template needs a name and an imageName; the rest has defaults', async () => {
    const made = await makeTemplate();
    expect(made).toMatchObject({ imageName, env: {}, dockerStartCmd: [], readme: '' });
    expect(await read(`/v1/templates/${made.id}`)).toEqual(made);
  });

  test('the list is a bare array with every template', async () => {
    const made = await makeTemplate();
    const listed = templateSchema.array().parse(await read('/v1/templates'));
    expect(listed.find((template) => template.id === made.id)).toEqual(made);
  });

  test.each([['PATCH', ''] as const, ['POST', '/update'] as const])(
    '%s changes the named fields only (path suffix "%s")',
    async (method, suffix) => {
      const made = await makeTemplate({ env: { A: '1' }, readme: 'kept' });
      const answer = await engine.http.send(method, `/v1/templates/${made.id}${suffix}`, { env: { B: '2' } });
      expect(templateSchema.parse(accepted(answer))).toEqual({ ...made, env: { B: '2' } });
      expect(await read(`/v1/templates/${made.id}`)).toEqual({ ...made, env: { B: '2' } });
    },
  );

  test('names are unique: a second template of the same name is a 400 that says so', async () => {
    const { name } = await makeTemplate();
    const answer = await engine.http.post('/v1/templates', { name, imageName });
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toContain(name);
  });

  test('DELETE answers 204 and the template is gone', async () => {
    const made = await makeTemplate();
    expect((await engine.http.send('DELETE', `/v1/templates/${made.id}`)).status).toBe(204);
    expect((await engine.http.get(`/v1/templates/${made.id}`)).status).toBe(404);
    expect((await engine.http.send('DELETE', `/v1/templates/${made.id}`)).status).toBe(404);
  });

  test('a template that an endpoint uses is not deleted', async () => {
    const { template } = await makeEndpoint(engine, { 'handler.mjs': 'export default () => 1;\n' });
    const answer = await engine.http.send('DELETE', `/v1/templates/${template.id}`);
    expect([400, 409]).toContain(answer.status);
    expect((await engine.http.get(`/v1/templates/${template.id}`)).status).toBe(200);
  });

  test.each<[string, object]>([
    ['no name', { imageName: 'x' }],
    ['an empty name', { name: ' ', imageName: 'x' }],
    ['no imageName', { name: 'x' }],
    ['env that is no object of text', { name: 'x', imageName: 'x', env: { A: 1 } }],
    ['a command that is no array', { name: 'x', imageName: 'x', dockerStartCmd: 'python x.py' }],
  ])('%s is a 400 and makes nothing', async (_, body) => {
    const before = templateSchema.array().parse(await read('/v1/templates')).length;
    expect((await engine.http.post('/v1/templates', body)).status).toBe(400);
    expect(templateSchema.array().parse(await read('/v1/templates'))).toHaveLength(before);
  });
});

describe('endpoints', () => {
  test('an endpoint that names nothing but its template has the defaults of the description', async () => {
    const template = await makeTemplate();
    const made = endpointSchema.parse(accepted(await engine.http.post('/v1/endpoints', { templateId: template.id })));
    const { workersMin, workersMax, idleTimeoutS, scalerValue, gpuCount } = limits.endpoint;
    expect(made).toMatchObject({
      templateId: template.id,
      workersMin: workersMin.default,
      workersMax: workersMax.default,
      idleTimeout: idleTimeoutS.default,
      scalerType: 'QUEUE_DELAY',
      scalerValue: scalerValue.default,
      gpuCount: gpuCount.default,
      executionTimeoutMs: limits.executionTimeoutMs.default,
    });
    expect(await read(`/v1/endpoints/${made.id}`)).toEqual(made);
  });

  test('the list is a bare array with every endpoint', async () => {
    const { endpoint } = await makeEndpoint(engine, { 'handler.mjs': 'export default () => 1;\n' });
    const listed = endpointSchema.array().parse(await read('/v1/endpoints'));
    expect(listed.find(({ id }) => id === endpoint.id)).toEqual(endpoint);
  });

  test.each([['PATCH', ''] as const, ['POST', '/update'] as const])(
    '%s changes the named fields only (path suffix "%s")',
    async (method, suffix) => {
      const { endpoint } = await makeEndpoint(engine, { 'handler.mjs': 'export default () => 1;\n' });
      const answer = await engine.http.send(method, `/v1/endpoints/${endpoint.id}${suffix}`, { workersMax: 2 });
      expect(endpointSchema.parse(accepted(answer))).toEqual({ ...endpoint, workersMax: 2 });
    },
  );

  test('DELETE answers 204; the endpoint and its jobs are gone', async () => {
    const { endpoint } = await makeEndpoint(
      engine,
      { 'handler.mjs': 'export default () => 1;\n' },
      { endpoint: { workersMax: 0 } },
    );
    const { id } = accepted(await engine.http.post(`/v2/${endpoint.id}/run`, { input: {} })) as { id: string };
    expect((await engine.http.send('DELETE', `/v1/endpoints/${endpoint.id}`)).status).toBe(204);
    expect((await engine.http.get(`/v1/endpoints/${endpoint.id}`)).status).toBe(404);
    expect((await engine.http.get(`/v2/${endpoint.id}/status/${id}`)).status).toBe(404);
    expect((await engine.http.post(`/v2/${endpoint.id}/run`, { input: {} })).status).toBe(404);
  });

  const ranges = Object.entries({
    workersMin: limits.endpoint.workersMin,
    workersMax: limits.endpoint.workersMax,
    idleTimeout: limits.endpoint.idleTimeoutS,
    scalerValue: limits.endpoint.scalerValue,
    executionTimeoutMs: limits.executionTimeoutMs,
  });
  test.each(ranges)('%s is refused one below its least and one above its most', async (field, { min, max }) => {
    const template = await makeTemplate();
    for (const value of [min - 1, max + 1, min + 0.5, String(min)]) {
      const answer = await engine.http.post('/v1/endpoints', { templateId: template.id, [field]: value });
      expect(answer.status, answer.text).toBe(400);
      expect(messageOf(answer)).toContain(field);
    }
  });

  test('workersMin above workersMax is a 400', async () => {
    const template = await makeTemplate();
    const answer = await engine.http.post('/v1/endpoints', { templateId: template.id, workersMin: 3, workersMax: 2 });
    expect(answer.status).toBe(400);
  });

  test('an unknown template is a 400 or 404 that says so', async () => {
    const answer = await engine.http.post('/v1/endpoints', { templateId: 'no-such-template' });
    expect([400, 404]).toContain(answer.status);
    expect(messageOf(answer)).toMatch(/template/i);
  });

  test('templates, endpoints and their jobs are there after a restart', async () => {
    const own = await startEngine();
    try {
      const { template, endpoint } = await makeEndpoint(
        own,
        { 'handler.mjs': 'export default () => 1;\n' },
        { endpoint: { workersMax: 0 } },
      );
      const { id } = accepted(await own.http.post(`/v2/${endpoint.id}/run`, { input: {} })) as { id: string };
      expect(await own.stop()).toBe(0);
      await own.restart();
      expect(accepted(await own.http.get(`/v1/templates/${template.id}`))).toEqual(template);
      expect(accepted(await own.http.get(`/v1/endpoints/${endpoint.id}`))).toEqual(endpoint);
      expect(accepted(await own.http.get(`/v2/${endpoint.id}/status/${id}`))).toMatchObject({ id, status: 'IN_QUEUE' });
    } finally {
      await own.close();
    }
  });
});

test('DELETE with the JSON content type and no body is a DELETE', async () => {
  const { id } = await makeTemplate();
  const headers = { 'content-type': 'application/json' };
  expect((await engine.http.send('DELETE', `/v1/templates/${id}`, undefined, { headers })).status).toBe(204);
});
