/**
 * A secret of s3Config goes to the worker and nowhere else: it is pushed through every path, then looked for
 * everywhere.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import type { Answer } from '../../support/http/client.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';
import { startReceiver, type Receiver } from '../../support/webhooks/receiver.ts';
import { makeEndpoint, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';
import { filesWith } from '../../support/disk/secretsInFiles.ts';

const secret = `Sk3y${randomBytes(16).toString('hex')}`;
const s3Config = {
  accessId: `id-${secret}`,
  accessSecret: secret,
  bucketName: 'bucket',
  endpointUrl: 'https://s3.example',
  sessionToken: `token-${secret}`,
};

let engine: TestEngine;
let receiver: Receiver;
beforeAll(async () => {
  engine = await startEngine({ logLevel: 'debug' });
  receiver = await startReceiver();
});
afterAll(async () => {
  await engine.close();
  await receiver.close();
});

test('s3Config reaches the worker, and its secrets are in no answer, no log and no file', async () => {
  const idle = await makeIdleEndpoint(engine);
  const jobs = jobsOf(engine, idle.id);
  const worker = createOutsideWorker(engine, idle.id);
  const answers: Answer[] = [];
  const post = async (path: string, body: object | string): Promise<void> => {
    answers.push(await engine.http.post(path, body));
  };
  const run = `${jobs.path}/run`;

  // Taken by a worker, which is the one that may know.
  const webhook = `${receiver.origin}/hook`;
  await post(run, { input: {}, s3Config, webhook });
  await post(run, { input: { large: 'x'.repeat(1_000_000) }, s3Config, webhook });
  const first = await worker.take();
  const large = await worker.take();
  expect(first).toMatchObject({ s3Config });
  expect(large).toMatchObject({ s3Config });
  await worker.stream(first?.id ?? '', { output: 'chunk' });
  await worker.done(first?.id ?? '', { output: 'stored' });
  await worker.done(large?.id ?? '', '{"output": broken');
  await until('both webhooks', () => receiver.received.length, 2);
  for (const { text, headers } of receiver.received) expect(text + JSON.stringify(headers)).not.toContain(secret);

  // Taken up once more, and thrown out of the queue.
  answers.push(await engine.http.post(`${jobs.path}/retry/${large?.id}`));
  expect(await worker.take()).toMatchObject({ id: large?.id, s3Config });
  await worker.done(large?.id ?? '', { error: 'again' });
  await post(run, { input: {}, s3Config });
  answers.push(await engine.http.post(`${jobs.path}/purge-queue`));

  // Still waiting, cancelled, and given back by a worker that hung up.
  await post(run, { input: {}, s3Config });
  await post(run, { input: {}, s3Config, policy: { ttl: 10_000 } });
  const cancelled = await jobs.run({}, { s3Config });
  answers.push(await engine.http.post(`${jobs.path}/cancel/${cancelled}`));

  // Run by workers of the engine: one that returns, one that throws, one that dies.
  const { endpoint } = await makeEndpoint(engine, {
    'handler.mjs': `export default (job) => {
      if (job.input.die) process.exit(3);
      if (job.input.fail) throw new Error('upload failed');
      return Object.keys(job.s3Config);
    };`,
  });
  const own = jobsOf(engine, endpoint.id);
  const ids: string[] = [];
  for (const input of [{ n: 1 }, { fail: true }, { die: true }]) {
    const id = await own.run(input, { s3Config });
    await own.finished(id);
    ids.push(id);
  }
  await post(`${own.path}/runsync`, { input: {}, s3Config });
  expect(answers.at(-1)?.json).toMatchObject({ status: 'COMPLETED', output: Object.keys(s3Config) });

  // Refused, with the secret in the place that is wrong, or near it.
  const text = JSON.stringify({ input: {}, s3Config });
  for (const body of [
    { input: 'x', s3Config },
    { s3Config },
    { input: {}, s3Config, policy: { ttl: 1 } },
    { input: {}, s3Config: secret },
    { input: {}, s3Config: [secret] },
    { input: {}, s3Config: { accessSecret: [secret] } },
    { input: {}, s3Config: { accessSecret: { [secret]: secret } } },
    { input: {}, s3Config, webhook: 'no address' },
    `${text}}`,
    text.slice(0, -3),
    `{"input":{},"s3Config":{"accessSecret":"${secret}" x}}`,
    `{"input":{},"s3Config":{"accessSecret":"${secret}\n"}}`,
    `{"input":{},"s3Config":{"accessSecret":${secret}}}`,
    `{"s3Config":'${secret}'}`,
    `"${secret}`,
    secret,
  ]) {
    for (const operation of ['run', 'runsync']) {
      const answer = await engine.http.post(`${jobs.path}/${operation}`, body);
      expect(answer.status, answer.text).toBe(400);
      answers.push(answer);
    }
  }

  // Read back in every way there is.
  for (const id of [first?.id ?? '', large?.id ?? '', cancelled]) {
    for (const operation of ['status', 'status-sync', 'stream']) {
      answers.push(await engine.http.get(`${jobs.path}/${operation}/${id}`));
    }
    answers.push(await engine.http.get(`/local/v1/jobs/${id}`));
  }
  for (const id of ids) answers.push(await engine.http.get(`${own.path}/status/${id}`));
  for (const path of [
    `${jobs.path}/requests`,
    `${own.path}/requests`,
    '/local/v1/webhooks',
    '/local/v1/settings',
    `${jobs.path}/health`,
    '/local/v1/workers',
    '/v1/endpoints',
    '/v1/templates',
  ]) {
    answers.push(await engine.http.get(path));
  }

  for (const answer of answers) {
    expect(answer.text).not.toContain(secret);
    expect(JSON.stringify(answer.headers)).not.toContain(secret);
  }
  expect(await filesWith(engine.dataDir, secret)).toEqual([]);
  await engine.stop();
  expect(engine.stderr).not.toContain(secret);
  expect(await filesWith(engine.dataDir, secret)).toEqual([]);

  // The next start reads what is still waiting, and hands it to a worker.
  await engine.restart();
  expect(await worker.take()).toMatchObject({ s3Config });
  await engine.kill9();
  expect(engine.stderr).not.toContain(secret);
  expect(await filesWith(engine.dataDir, secret)).toEqual([]);
});
