import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { limits } from '#contract/core/limits.ts';
import { webhookDeliverySchema, type WebhookDelivery } from '#contract/api/webhook.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';
import { startReceiver, type Received, type Receiver } from '../../support/webhooks/receiver.ts';
import { accepted, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { startRudeServer, type RudeServer } from '../../support/loadBalancing/rudeServer.ts';
import { freePort } from '../../support/http/freePort.ts';
import { selfSigned } from '../../support/http/selfSigned.ts';
import { until } from '../../support/core/until.ts';

const { gapMs, timeoutMs, answerBytes, retries } = limits.webhook;

/** Has one job for each address end at about the same time; answers the job ids. */
async function tellAll(engine: TestEngine, addresses: string[], envelope: object = {}): Promise<string[]> {
  const { id: endpointId } = await makeIdleEndpoint(engine);
  const jobs = jobsOf(engine, endpointId);
  const worker = createOutsideWorker(engine, endpointId);
  const ids: string[] = [];
  for (const webhook of addresses) ids.push(await jobs.run({}, { ...envelope, webhook }));
  const taken = await worker.takeBatch(ids.length);
  expect(taken).toHaveLength(ids.length);
  await Promise.all(ids.map(async (id) => accepted(await worker.done(id, { output: 1 }))));
  return ids;
}

async function deliveryOf(engine: TestEngine, jobId: string): Promise<WebhookDelivery> {
  const answer = accepted(await engine.http.get(`/local/v1/webhooks?jobId=${jobId}`));
  return z.array(webhookDeliverySchema).length(1).parse(answer)[0]!;
}

const attempted = (engine: TestEngine, jobId: string, attempts: number): Promise<WebhookDelivery> =>
  until(
    `${attempts} attempts for ${jobId}`,
    () => deliveryOf(engine, jobId),
    (delivery) => delivery.attempts.length >= attempts,
  );

// An engine that was killed after the first attempts; what it does then takes as long as what the other one waits for.
let killed: TestEngine;
let killedReceiver: Receiver;
let failing: string;
let underWay: string;
beforeAll(async () => {
  [killed, killedReceiver] = await Promise.all([startEngine(), startReceiver()]);
  killedReceiver.answer('/failing', 503);
  killedReceiver.answer('/under-way', () => undefined);
  const { origin, received } = killedReceiver;
  [failing, underWay] = (await tellAll(killed, [`${origin}/failing`, `${origin}/under-way`])) as [string, string];
  await attempted(killed, failing, 1);
  await until(
    'the other call',
    () => received,
    (requests) => requests.some(({ path }) => path === '/under-way'),
  );
  await killed.kill9();
  killedReceiver.answer('/failing', 200);
  killedReceiver.answer('/under-way', 200);
  await killed.restart();
});
afterAll(async () => {
  await killed.close();
  await killedReceiver.close();
});

describe('receivers that do what they should not', () => {
  let engine: TestEngine;
  let receiver: Receiver;
  let hanging: Receiver;
  let secure: Receiver;
  let rude: Record<'closing' | 'babbling' | 'dripping' | 'trickling' | 'flooding', RudeServer>;
  let live: Receiver;
  let job: Record<string, string>;
  /** Of a large job that is gone before the second attempt. */
  let gone: string;

  beforeAll(async () => {
    [engine, receiver, hanging, secure, live] = await Promise.all([
      startEngine(),
      startReceiver(),
      startReceiver(),
      startReceiver(selfSigned),
      startReceiver(),
    ]);
    rude = {
      closing: await startRudeServer((socket) => socket.end()),
      babbling: await startRudeServer((socket) => socket.write('220 mail.test ESMTP\r\n')),
      // A header that never ends, and a body that never does.
      dripping: await startRudeServer(
        (socket) => socket.write('HTTP/1.1 200 OK\r\nx-drip: '),
        (socket) => socket.write('x'),
      ),
      trickling: await startRudeServer(
        (socket) => socket.write('HTTP/1.1 202 Accepted\r\ncontent-type: text/plain\r\n\r\n'),
        (socket) => socket.write('x'),
      ),
      flooding: await startRudeServer(
        (socket) => socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${2 ** 40}\r\n\r\n`),
        (socket) => {
          if (socket.writableLength === 0) socket.write(Buffer.alloc(100_000));
        },
      ),
    };
    receiver.answer('/error', 500);
    receiver.answer('/moved', (response) => response.writeHead(301, { location: '/elsewhere' }).end());
    receiver.answer('/moved-here', (response) => response.writeHead(307, { location: engine.address }).end());
    hanging.answer('/', () => undefined);
    receiver.answer('/gone', 500);
    const large = { input: { a: 'a'.repeat(700_000) }, policy: { ttl: limits.ttlMs.min } };
    [gone] = (await tellAll(engine, [`${receiver.origin}/gone`], large)) as [string];
    const addresses: Record<string, string> = {
      error: `${receiver.origin}/error`,
      moved: `${receiver.origin}/moved`,
      movedHere: `${receiver.origin}/moved-here`,
      refused: `http://127.0.0.1:${await freePort()}/`,
      unknown: 'http://no-such-receiver.invalid/',
      secure: `${secure.origin}/`,
      badPassword: `http://%zz:x@${receiver.origin.slice(7)}/`,
      ...Object.fromEntries(Object.entries(rude).map(([name, { origin }]) => [name, `${origin}/`])),
      hanging: `${hanging.origin}/`,
    };
    const names = Object.keys(addresses);
    // More of the one that hangs than may be under way at once.
    const many = Array.from({ length: 40 }, () => `${hanging.origin}/`);
    const ids = await tellAll(engine, [...Object.values(addresses), ...many]);
    job = Object.fromEntries(names.map((name, index) => [name, ids[index]!]));
    await until(
      'the hanging receiver to be called',
      () => hanging.received,
      ({ length }) => length > 0,
    );
    [job['live']] = (await tellAll(engine, [`${live.origin}/`])) as [string];
  });
  afterAll(async () => {
    await engine.close();
    await Promise.all([receiver, hanging, secure, live, ...Object.values(rude)].map((server) => server.close()));
  });

  test('fault 26: while others hang, a receiver that answers is told at once', async () => {
    const { state, createdAt, attempts } = await attempted(engine, job['live']!, 1);
    expect({ state, attempts }).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] });
    // Behind one that hangs it would wait for all of that one's time.
    expect(Date.parse(attempts[0]!.at) - Date.parse(createdAt)).toBeLessThan(timeoutMs / 2);
  });

  test.each([
    ['error', 500, /answered 500; only 2xx/],
    ['moved', 301, /redirects are not followed/],
    ['movedHere', 307, /redirects are not followed/],
    ['refused', null, /Nothing listens at 127\.0\.0\.1:\d+/],
    ['unknown', null, /no-such-receiver\.invalid/],
    ['secure', null, /certificate is not trusted: it is self-signed/],
    ['badPassword', null, /not properly percent-encoded/],
    ['closing', null, /closed the connection without an answer/],
    ['babbling', null, /could not be read as HTTP/],
    ['dripping', null, /did not answer within 10 s/],
    ['hanging', null, /did not answer within 10 s/],
  ])(
    'fault 26: the first attempt at the receiver "%s" is on record with status %s and its reason',
    async (name, status, reason) => {
      const { state, nextAttemptAt, attempts } = await attempted(engine, job[name]!, 1);
      expect(attempts[0]).toMatchObject({ status, error: expect.stringMatching(reason) });
      // A slow machine may have made later attempts, too.
      expect(state).toBe(attempts.length > retries ? 'failed' : 'pending');
      if (nextAttemptAt === null) return;
      const { at, tookMs } = attempts.at(-1)!;
      // The time is the moment of the attempt, within what the clock can tell.
      expect(Date.parse(nextAttemptAt) - Date.parse(at)).toBeGreaterThanOrEqual(gapMs + tookMs - 2);
    },
  );

  test('fault 26: a receiver that hangs, or drips its answer, is given up after 10 s', async () => {
    for (const name of ['hanging', 'dripping']) {
      const [first] = (await attempted(engine, job[name]!, 1)).attempts;
      expect(first!.tookMs).toBeGreaterThanOrEqual(timeoutMs - 10);
    }
  });

  test('fault 26: an answer without end is 2xx all the same, and is not waited for', async () => {
    expect(await attempted(engine, job['trickling']!, 1)).toMatchObject({
      state: 'delivered',
      attempts: [{ status: 202, error: null }],
    });
  });

  test('fault 26: of a huge answer no more is read than its limit', async () => {
    expect(await attempted(engine, job['flooding']!, 1)).toMatchObject({
      state: 'delivered',
      attempts: [{ status: 200, error: null }],
    });
    await until(
      'the connection to be cut',
      () => rude.flooding.sent(),
      (count) => count > 0,
    );
    // What the system buffers on the way comes on top.
    expect(rude.flooding.sent()).toBeLessThan(answerBytes + 8_000_000);
  });

  test('fault 26: no redirect is followed, and nothing is sent where the certificate is not trusted', async () => {
    await Promise.all([attempted(engine, job['moved']!, 1), attempted(engine, job['secure']!, 1)]);
    expect(receiver.received.filter(({ path }) => path === '/elsewhere')).toEqual([]);
    expect(secure.received).toEqual([]);
  });

  test('fault 26: the second attempt comes 10 s after the first was over, and is on record with it', async () => {
    const [first, second] = (await attempted(engine, job['refused']!, 2)).attempts;
    expect(Date.parse(second!.at) - Date.parse(first!.at) - first!.tookMs).toBeGreaterThanOrEqual(gapMs - 2);
    expect(second).toMatchObject({ status: null, error: expect.stringMatching(/Nothing listens/) });
  });

  test('fault 26: a later attempt sends the same as the first, though the job and its files are gone', async () => {
    const { endpointId } = await attempted(engine, gone, 2);
    expect((await engine.http.get(`/v2/${endpointId}/status/${gone}`)).status).toBe(404);
    const [first, second] = receiver.received.filter(({ path }) => path === '/gone');
    expect(first!.text.length).toBeGreaterThan(700_000);
    expect(second!.text).toBe(first!.text);
  });
});

describe('an engine that is killed between attempts', () => {
  const calls = (path: string): Received[] => killedReceiver.received.filter((one) => one.path === path);

  test('fault 4: tells of the job whose call was under way once more, and then never again', async () => {
    const delivery = await attempted(killed, underWay, 1);
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] });
    expect(calls('/under-way').map(({ headers }) => headers['x-hangar-attempt'])).toEqual(['1', '1']);
    expect(calls('/under-way')[1]!.text).toBe(calls('/under-way')[0]!.text);
  });

  test('fault 26: goes on with the second attempt when that is due', async () => {
    const delivery = await attempted(killed, failing, 2);
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 503 }, { status: 200, error: null }] });
    const [first, second] = calls('/failing');
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(gapMs - 2);
    expect(second!.text).toBe(first!.text);
    expect(second!.headers).toMatchObject({
      'x-hangar-delivery': first!.headers['x-hangar-delivery'],
      'x-hangar-attempt': '2',
    });
    expect(calls('/failing')).toHaveLength(2);
    expect(calls('/under-way')).toHaveLength(2);
  });
});
