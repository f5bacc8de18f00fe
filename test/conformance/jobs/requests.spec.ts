import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestsSchema } from '#contract/api/job.ts';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { accepted, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { messageOf } from '../../support/http/client.ts';

let engine: ClockedEngine;
beforeAll(async () => {
  engine = await startClockedEngine();
});
afterAll(() => engine.close());

async function stage(of: TestEngine = engine): Promise<{ jobs: Jobs; worker: OutsideWorker }> {
  const { id } = await makeIdleEndpoint(of);
  return { jobs: jobsOf(of, id), worker: createOutsideWorker(of, id) };
}

const list = async (jobs: Jobs, query = '', of: TestEngine = engine) =>
  requestsSchema.parse(accepted(await of.http.get(`${jobs.path}/requests${query}`))).requests;
const ids = async (jobs: Jobs, query = '', of: TestEngine = engine) =>
  (await list(jobs, query, of)).map(({ id }) => id);

async function runMany(jobs: Jobs, count: number): Promise<string[]> {
  const sent: string[] = [];
  for (let n = 0; n < count; n++) sent.push(await jobs.run({ n }));
  return sent;
}

describe('/requests', () => {
  test('lists the jobs of the endpoint as status objects, newest first, without their output', async () => {
    const { jobs, worker } = await stage();
    expect(await list(jobs)).toEqual([]);
    const [done = '', failed = '', running = '', waiting = ''] = await runMany(jobs, 4);
    for (let n = 0; n < 3; n++) await worker.take();
    await worker.done(done, { output: 'not shown here' });
    await worker.done(failed, { error: 'shown' });
    const statuses = await Promise.all([waiting, running, failed, done].map((id) => jobs.status(id)));
    const { output, ...withoutOutput } = statuses[3] ?? {};
    expect(output).toBe('not shown here');
    expect(await list(jobs)).toEqual([...statuses.slice(0, 3), withoutOutput]);
  });

  test('lists no job of another endpoint', async () => {
    const one = await stage();
    const other = await stage();
    await other.jobs.run({});
    expect(await list(one.jobs)).toEqual([]);
  });

  test('lists 100 unless asked for another number from 1 to 1000', async () => {
    const { jobs } = await stage();
    const sent = (await runMany(jobs, 105)).reverse();
    expect(await ids(jobs)).toEqual(sent.slice(0, 100));
    expect(await ids(jobs, '?limit=1')).toEqual(sent.slice(0, 1));
    expect(await ids(jobs, '?limit=1000')).toEqual(sent);
  });

  test.each(['0', '1001', '-1', '1.5', 'many', ''])('refuses limit=%s with its range', async (limit) => {
    const { jobs } = await stage();
    const answer = await engine.http.get(`${jobs.path}/requests?limit=${limit}`);
    expect(answer.status).toBe(400);
    expect(messageOf(answer)).toMatch(/limit must be a whole number from 1 to 1000; got/);
  });

  test('lists only jobs of one status when asked for it, and refuses a status that there is not', async () => {
    const { jobs } = await stage();
    const [first = '', second = '', third = ''] = await runMany(jobs, 3);
    await jobs.cancel(second);
    expect(await ids(jobs, '?status=IN_QUEUE')).toEqual([third, first]);
    expect(await ids(jobs, '?status=CANCELLED')).toEqual([second]);
    expect(await ids(jobs, '?status=IN_QUEUE&limit=1')).toEqual([third]);
    const refused = await engine.http.get(`${jobs.path}/requests?status=DONE`);
    expect(refused.status).toBe(400);
    expect(messageOf(refused)).toMatch(/status must be one of IN_QUEUE, .*; got "DONE"/);
  });

  test('no longer lists a job whose ttl has passed', async () => {
    const { jobs } = await stage();
    await jobs.run({}, { policy: { ttl: 10_000 } });
    const stays = await jobs.run({});
    await engine.advance(10_000);
    expect(await ids(jobs)).toEqual([stays]);
  });

  test('tells of a job only what is on disk: one that is listed is there after a crash', async () => {
    await using own = await startEngine();
    const { jobs } = await stage(own);
    const sending = Array.from({ length: 50 }, (_, n) => jobs.run({ n }));
    await Promise.race(sending);
    const listed = await ids(jobs, '', own);
    await Promise.all(sending);
    await own.kill9();
    await own.restart();
    const after = await ids(jobs, '', own);
    expect(after).toHaveLength(50);
    expect(after.slice(after.length - listed.length)).toEqual(listed);
  });

  test('is a GET that a reading key may send', async () => {
    const { jobs } = await stage();
    const { key } = accepted(await engine.http.post('/local/v1/api-keys', { name: 'r', scope: 'read' })) as {
      key: string;
    };
    const path = `${jobs.path}/requests`;
    expect((await engine.http.get(path, { authorization: `Bearer ${key}` })).status).toBe(200);
    expect((await engine.http.post(path, {})).status).toBe(405);
    expect((await engine.http.get(path, { authorization: null })).status).toBe(401);
  });
});
