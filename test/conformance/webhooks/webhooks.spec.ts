import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { limits } from '#contract/core/limits.ts';
import { MASK } from '#contract/core/secretPatterns.ts';
import { webhookDeliverySchema, type WebhookDelivery } from '#contract/api/webhook.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { changeSettings } from '../../support/engine/settings.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { startReceiver, type Received, type Receiver } from '../../support/webhooks/receiver.ts';
import { accepted, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';
import { messageOf } from '../../support/http/client.ts';

let engine: TestEngine;
let receiver: Receiver;
let endpointId: string;
let jobs: Jobs;
let worker: OutsideWorker;
beforeAll(async () => {
  [engine, receiver] = await Promise.all([startEngine(), startReceiver()]);
  endpointId = (await makeIdleEndpoint(engine)).id;
  jobs = jobsOf(engine, endpointId);
  worker = createOutsideWorker(engine, endpointId);
});
afterAll(async () => {
  await Promise.all([engine.close(), receiver.close()]);
});

let paths = 0;
const newPath = (): string => `/told/${++paths}`;

/** Submits this text, has a worker answer with this one, and returns the job's id. */
async function through(body: string, result: string): Promise<string> {
  const { id } = accepted(await engine.http.post(`${jobs.path}/run`, body)) as { id: string };
  expect((await worker.take())?.id).toBe(id);
  accepted(await worker.done(id, result));
  return id;
}

const at = (path: string): Received[] => receiver.received.filter((one) => one.path === path);
const calls = (path: string, count: number): Promise<Received[]> =>
  until(
    `${count} calls of ${path}`,
    () => at(path),
    ({ length }) => length >= count,
  );

const list = async (query: string): Promise<WebhookDelivery[]> =>
  z.array(webhookDeliverySchema).parse(accepted(await engine.http.get(`/local/v1/webhooks${query}`)));

/** The one delivery of a job, once it is in this state. */
const delivery = (jobId: string, state: WebhookDelivery['state']): Promise<WebhookDelivery> =>
  until(
    `the delivery of ${jobId} to be ${state}`,
    async () => (await list(`?jobId=${jobId}`))[0],
    (one) => one?.state === state && one,
  );

const HOUR_MS = 3_600_000;

/** No second attempt comes within this test, however slow the machine is. */
async function postponeRetries(): Promise<void> {
  const setGap = (gapMs: number) => changeSettings(engine, { limits: { webhook: { gapMs } } });
  await setGap(HOUR_MS);
  onTestFinished(async () => void (await setGap(limits.webhook.gapMs)));
}

describe('what is sent', () => {
  test('the whole job is posted when it completes, its input and output byte for byte as they were written', async () => {
    const path = newPath();
    const input = '{ "n":9007199254740993,"é\\u00e9" : [1.0 ,2e400],"deep":{"input":"no"}}';
    const output = '{"big":123456789012345678901234567890, "t":"\\u2028ü"}';
    const webhook = JSON.stringify(receiver.origin + path);
    const body = `{"webhook":${webhook}, "input":${input},"policy":{"ttl":60000},"s3Config":{"accessSecret":"hidden"}}`;
    const id = await through(body, `{"output":${output}}`);
    const [call] = await calls(path, 1);
    const view = await jobs.status(id);
    expect(call!.text).toBe(
      `{"delayTime":${view.delayTime},"executionTime":${view.executionTime},"id":"${id}","input":${input},` +
        `"output":${output},"status":"COMPLETED","webhook":${webhook}}`,
    );
    expect(call!.method).toBe('POST');
  });

  test('large inputs and outputs are sent byte for byte from their files', async () => {
    const path = newPath();
    const text = (letter: string): string => JSON.stringify(letter.repeat(700_000) + '€');
    const input = `{"a": ${text('a')}}`;
    const output = `[${text('b')}]`;
    const webhook = JSON.stringify(receiver.origin + path);
    const body = `{"input":${input},"webhook":${webhook},"s3Config":{"accessSecret":"hidden"}}`;
    await through(body, `{"output": ${output} }`);
    const [call] = await calls(path, 1);
    expect(call!.text.slice(call!.text.indexOf('"input"'))).toBe(
      `"input":${input},"output":${output},"status":"COMPLETED","webhook":${webhook}}`,
    );
    expect(call!.headers['content-length']).toBe(String(Buffer.byteLength(call!.text)));
  });

  test('the call names Hangar, the delivery and the attempt, and carries no key', async () => {
    const path = newPath();
    const id = await through(JSON.stringify({ input: {}, webhook: receiver.origin + path }), '{"output":1}');
    const [call] = await calls(path, 1);
    expect(call!.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(call!.text)),
      'user-agent': 'Hangar/0.0.0-test',
      'x-hangar-delivery': (await delivery(id, 'delivered')).id,
      'x-hangar-attempt': '1',
    });
    expect(call!.headers.authorization).toBeUndefined();
  });

  test('a job that fails is told with its error; output is null', async () => {
    const path = newPath();
    const id = await through(
      JSON.stringify({ input: {}, webhook: receiver.origin + path }),
      '{"error":"broke \\"it\\""}',
    );
    const [call] = await calls(path, 1);
    expect(JSON.parse(call!.text)).toMatchObject({
      id,
      status: 'FAILED',
      error: 'broke "it"',
      output: null,
      input: {},
    });
  });

  test('a job that is out of time is told as TIMED_OUT', async () => {
    const path = newPath();
    const id = await jobs.run({}, { webhook: receiver.origin + path, policy: { executionTimeout: 5000 } });
    expect((await worker.take())?.id).toBe(id);
    const [call] = await calls(path, 1);
    expect(JSON.parse(call!.text)).toMatchObject({
      id,
      status: 'TIMED_OUT',
      error: expect.stringContaining('5000'),
      output: null,
    });
  });

  test('a name and password in the address become basic authorization, and are shown to nobody', async () => {
    const path = newPath();
    const url = new URL(receiver.origin + path);
    url.username = 'me@home';
    url.password = 'se:cret';
    const id = await through(JSON.stringify({ input: {}, webhook: url.href }), '{"output":1}');
    const [call] = await calls(path, 1);
    expect(call!.headers.authorization).toBe(`Basic ${Buffer.from('me@home:se:cret').toString('base64')}`);
    const { url: shown } = await delivery(id, 'delivered');
    expect(shown).toBe(`http://${MASK}@${url.host}${path}`);
  });

  test('nobody is told of a job that is cancelled, and webhookV2 means nothing', async () => {
    const path = newPath();
    const cancelled = await jobs.run({}, { webhook: receiver.origin + path });
    await jobs.cancel(cancelled);
    const other = await through(JSON.stringify({ input: {}, webhookV2: receiver.origin + path }), '{"output":1}');
    const namedId = await through(JSON.stringify({ input: {}, webhook: receiver.origin + path }), '{"output":1}');
    await delivery(namedId, 'delivered');
    expect(at(path)).toHaveLength(1);
    expect([await list(`?jobId=${cancelled}`), await list(`?jobId=${other}`)]).toEqual([[], []]);
  });

  test('an address that is no http address, or is too long, is a 400', async () => {
    for (const webhook of ['ftp://x/', 'x', `http://x/${'a'.repeat(8192)}`]) {
      const answer = await engine.http.post(`${jobs.path}/run`, { input: {}, webhook });
      expect(answer.status, webhook.slice(0, 20)).toBe(400);
      expect(messageOf(answer)).toMatch(/webhook must/);
    }
  });
});

describe('the log', () => {
  test('each attempt is on record with its time and status', async () => {
    const path = newPath();
    const before = Date.now();
    const id = await through(JSON.stringify({ input: {}, webhook: receiver.origin + path }), '{"output":1}');
    const one = await delivery(id, 'delivered');
    expect(one).toMatchObject({
      jobId: id,
      endpointId,
      jobStatus: 'COMPLETED',
      nextAttemptAt: null,
      payloadKept: true,
    });
    expect(one.attempts).toEqual([{ at: expect.any(String), tookMs: expect.any(Number), status: 200, error: null }]);
    for (const moment of [one.createdAt, one.attempts[0]!.at, one.finishedAt!]) {
      expect(Date.parse(moment)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(moment)).toBeLessThanOrEqual(Date.now());
    }
    expect(webhookDeliverySchema.parse(accepted(await engine.http.get(`/local/v1/webhooks/${one.id}`)))).toEqual(one);
  });

  test('a call that was not answered 2xx is pending, with its reason and the time of the next attempt', async () => {
    await postponeRetries();
    const path = newPath();
    receiver.answer(path, 503);
    const id = await through(JSON.stringify({ input: {}, webhook: receiver.origin + path }), '{"error":"x"}');
    const one = await until(
      'the first attempt',
      async () => (await list(`?jobId=${id}`))[0],
      (webhook) => webhook?.attempts.length === 1 && webhook,
    );
    expect(one).toMatchObject({ state: 'pending', jobStatus: 'FAILED', finishedAt: null });
    const [attempt] = one.attempts;
    expect(attempt).toMatchObject({ status: 503, error: expect.stringContaining('503') });
    expect(Date.parse(one.nextAttemptAt!) - Date.parse(attempt!.at)).toBeGreaterThanOrEqual(
      HOUR_MS + attempt!.tookMs - 1,
    );
    const again = await engine.http.post(`/local/v1/webhooks/${one.id}/redeliver`);
    expect([again.status, messageOf(again)]).toEqual([409, expect.stringMatching(/pending/)]);
  });

  test('is listed newest first, by job, endpoint and state, and as many as asked for', async () => {
    await postponeRetries();
    const elsewhere = await makeIdleEndpoint(engine);
    const path = newPath();
    receiver.answer('/never', 500);
    const ids: string[] = [];
    for (const at of [path, '/never', path]) {
      const id = await jobsOf(engine, elsewhere.id).run({}, { webhook: receiver.origin + at });
      const there = createOutsideWorker(engine, elsewhere.id);
      await there.take();
      accepted(await there.done(id, { output: 1 }));
      ids.push(id);
    }
    for (const at of [0, 2]) await delivery(ids[at]!, 'delivered');
    const jobIds = async (query: string) =>
      (await list(`?endpointId=${elsewhere.id}${query}`)).map(({ jobId }) => jobId);
    expect(await jobIds('')).toEqual(ids.toReversed());
    expect(await jobIds('&limit=2')).toEqual([ids[2], ids[1]]);
    expect(await jobIds('&state=pending')).toEqual([ids[1]]);
    expect(await jobIds(`&state=delivered&jobId=${ids[0]}`)).toEqual([ids[0]]);
    expect(await jobIds('&state=failed')).toEqual([]);
    expect(await list(`?endpointId=${endpointId}&jobId=${ids[0]}`)).toEqual([]);
  });

  test.each(['limit=0', 'limit=1001', 'limit=x', 'state=lost', 'unknown=1'])('?%s is a 400', async (query) => {
    expect((await engine.http.get(`/local/v1/webhooks?${query}`)).status).toBe(400);
  });

  test('a delivery can be sent again, as it was, once it has ended', async () => {
    const path = newPath();
    const id = await through(JSON.stringify({ input: { n: 1 }, webhook: receiver.origin + path }), '{"output":1}');
    const { id: deliveryId } = await delivery(id, 'delivered');
    const answer = webhookDeliverySchema.parse(
      accepted(await engine.http.post(`/local/v1/webhooks/${deliveryId}/redeliver`)),
    );
    expect(answer).toMatchObject({ id: deliveryId, state: 'pending' });
    const [first, second] = await calls(path, 2);
    expect(second!.text).toBe(first!.text);
    expect(second!.headers).toMatchObject({ 'x-hangar-delivery': deliveryId, 'x-hangar-attempt': '2' });
    expect((await delivery(id, 'delivered')).attempts).toHaveLength(2);
  });

  test('a delivery that is not there is a 404', async () => {
    for (const id of ['nothing', 'whd_1_0000000000000000']) {
      expect((await engine.http.get(`/local/v1/webhooks/${id}`)).status).toBe(404);
      expect((await engine.http.post(`/local/v1/webhooks/${id}/redeliver`)).status).toBe(404);
    }
  });

  test('reading it takes a key, sending again one that may send jobs', async () => {
    const { key } = accepted(await engine.http.post('/local/v1/api-keys', { name: 'reader', scope: 'read' })) as {
      key: string;
    };
    const reader = { authorization: `Bearer ${key}` };
    expect((await engine.http.get('/local/v1/webhooks', { authorization: null })).status).toBe(401);
    expect((await engine.http.get('/local/v1/webhooks', reader)).status).toBe(200);
    expect((await engine.http.post('/local/v1/webhooks/x/redeliver', undefined, reader)).status).toBe(403);
  });
});

test('deleting an endpoint does not take back what its ended jobs were to tell', async () => {
  await postponeRetries();
  const gone = await makeIdleEndpoint(engine);
  const path = newPath();
  receiver.answer(path, 500);
  const id = await jobsOf(engine, gone.id).run({}, { webhook: receiver.origin + path });
  const there = createOutsideWorker(engine, gone.id);
  await there.take();
  accepted(await there.done(id, { output: 1 }));
  await calls(path, 1);
  accepted({ ...(await engine.http.send('DELETE', `/v1/endpoints/${gone.id}`)), status: 200 });
  expect(await delivery(id, 'pending')).toMatchObject({ endpointId: gone.id });
});
