import { afterAll, beforeAll, expect, test } from 'vitest';
import type { QueuedJob } from '#contract/local/machine.ts';
import { crash } from '../../support/engine/crashes.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';
import { accepted, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { messageOf } from '../../support/http/client.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const move = (id: string, before: unknown, of = engine) => of.http.post(`/local/v1/jobs/${id}/move`, { before });

async function queueOfFour(of = engine) {
  const { id: endpointId } = await makeIdleEndpoint(of);
  const jobs = jobsOf(of, endpointId);
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) ids.push(await jobs.run({ n }, n === 3 ? { policy: { lowPriority: true } } : {}));
  const list = async (query = ''): Promise<QueuedJob[]> =>
    accepted(await of.http.get(`/local/v1/endpoints/${endpointId}/queue${query}`)) as QueuedJob[];
  const order = async (): Promise<number[]> => (await list()).map(({ id }) => ids.indexOf(id));
  return { endpointId, jobs, ids, list, order };
}

test('the queue of an endpoint is told in the order in which workers get its jobs', async () => {
  const { ids, list, endpointId } = await queueOfFour();
  expect(await list()).toMatchObject(ids.map((id, n) => ({ id, lowPriority: n === 3, retries: 0 })));
  expect(await list('?limit=2')).toHaveLength(2);
  const worker = createOutsideWorker(engine, endpointId);
  await worker.take();
  expect((await list())[0]!.id).toBe(ids[1]);
  for (const limit of ['0', '1001', 'x']) {
    const answer = await engine.http.get(`/local/v1/endpoints/${endpointId}/queue?limit=${limit}`);
    expect(answer.status, limit).toBe(400);
  }
});

test('a job is put before another one or last, is handed out there, and stays there over a crash', async () => {
  await using own = await startEngine();
  const { ids, order, endpointId } = await queueOfFour(own);
  expect(accepted(await move(ids[2]!, ids[0]!, own))).toMatchObject({ id: ids[2] });
  expect(await order()).toEqual([2, 0, 1, 3]);
  await move(ids[0]!, null, own);
  await move(ids[3]!, ids[1]!, own);
  expect(await order()).toEqual([2, 3, 1, 0]);
  await crash(own);
  expect(await order()).toEqual([2, 3, 1, 0]);
  const late = await jobsOf(own, endpointId).run({});
  const worker = createOutsideWorker(own, endpointId);
  const taken: unknown[] = [];
  for (let n = 0; n < 5; n++) taken.push((await worker.take())?.id);
  expect(taken).toEqual([ids[2], ids[3], ids[1], ids[0], late]);
});

test('a place that there is none of is refused, and nothing is moved', async () => {
  const { ids, order, jobs } = await queueOfFour();
  const other = await queueOfFour();
  await jobs.cancel(ids[1]!);
  expect((await move('nobody', null)).status).toBe(404);
  expect((await move(ids[0]!, 'nobody')).status).toBe(404);
  for (const [job, before, words] of [
    [ids[0]!, other.ids[0]!, 'another endpoint'],
    [ids[0]!, ids[1]!, 'CANCELLED'],
    [ids[1]!, ids[0]!, 'CANCELLED'],
    [ids[0]!, 5, 'before must be'],
  ] as const) {
    const answer = await move(job, before);
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toContain(words);
  }
  expect(await order()).toEqual([0, 2, 3]);
});

test('changing the order needs a key of full scope, reading it any', async () => {
  const { ids, endpointId } = await queueOfFour();
  const { key } = accepted(await engine.http.post('/local/v1/api-keys', { name: 'r', scope: 'read' })) as {
    key: string;
  };
  const authorization = `Bearer ${key}`;
  expect((await engine.http.get(`/local/v1/endpoints/${endpointId}/queue`, { authorization })).status).toBe(200);
  expect((await engine.http.get('/local/v1/set-aside', { authorization })).status).toBe(200);
  for (const what of ['move', 'release']) {
    const answer = await engine.http.post(`/local/v1/jobs/${ids[0]!}/${what}`, { before: null }, { authorization });
    expect(answer.status).toBe(403);
  }
});
