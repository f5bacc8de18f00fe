import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker, type OutsideWorker } from '../../support/workers/outsideWorker.ts';
import { makeIdleEndpoint } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';

let engine: ClockedEngine;
beforeAll(async () => {
  engine = await startClockedEngine();
  // No request is held to its end, and no worker is silent for too long, however slow the machine is.
  await engine.hold();
});
afterAll(() => engine.close());

interface Stage {
  endpointId: string;
  jobs: Jobs;
  worker: OutsideWorker;
}

async function stage(): Promise<Stage> {
  const { id } = await makeIdleEndpoint(engine);
  return { endpointId: id, jobs: jobsOf(engine, id), worker: createOutsideWorker(engine, id) };
}

async function taken(): Promise<Stage & { id: string }> {
  const made = await stage();
  const id = await made.jobs.run({ n: 1 });
  await made.worker.take();
  return { ...made, id };
}

describe('job-take', () => {
  test('a single take is one object with id and input, as application/json with a length', async () => {
    const { jobs, worker } = await stage();
    const id = await jobs.run({ prompt: 'x' });
    const answer = await worker.takeAnswer();
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(0);
    expect(answer.json).toEqual({ id, input: { prompt: 'x' } });
  });

  test('a long poll is answered the moment a job arrives', async () => {
    const { jobs, worker } = await stage();
    const taking = worker.take();
    await until('the worker to be known', async () => (await jobs.health()).workers.idle, 1);
    const id = await jobs.run({ n: 1 });
    expect(await taking).toEqual({ id, input: { n: 1 } });
  });

  test('one job goes to one of the workers that wait for it', async () => {
    const { endpointId, jobs, worker } = await stage();
    const other = createOutsideWorker(engine, endpointId);
    const takers = [worker, other].map((each) => each.take());
    const first = await jobs.run({ n: 1 });
    const second = await jobs.run({ n: 2 });
    const ids = (await Promise.all(takers)).map((job) => job?.id).sort();
    expect(ids).toEqual([first, second].sort());
  });

  test('a job is not given to a worker that has hung up', async () => {
    const { jobs, worker } = await stage();
    const leaving = new AbortController();
    const abandoned = worker.take(leaving.signal).catch(() => null);
    await until('the worker to be known', async () => (await jobs.health()).workers.idle, 1);
    leaving.abort();
    await abandoned;
    const id = await jobs.run({});
    expect((await worker.take())?.id).toBe(id);
  });

  test('a batch take is an array of at most as many as asked for', async () => {
    const { jobs, worker } = await stage();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await jobs.run({ n }));
    expect((await worker.takeBatch(3)).map((job) => job.id)).toEqual(ids.slice(0, 3));
    expect((await worker.takeBatch(3)).map((job) => job.id)).toEqual(ids.slice(3));
  });

  test('a waiting batch take is an array too', async () => {
    const { jobs, worker } = await stage();
    const taking = worker.takeBatch(4);
    const id = await jobs.run({ n: 1 });
    expect(await taking).toEqual([{ id, input: { n: 1 } }]);
  });
});

describe('job-done', () => {
  test('takes JSON labelled as form data, the way the public worker sends it', async () => {
    const { jobs, worker, id } = await taken();
    expect((await worker.done(id, { output: { größe: '1 µm' } })).status).toBe(200);
    expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED', output: { größe: '1 µm' } });
  });

  test('an error wins over an output that came with it; both are kept', async () => {
    const { jobs, worker, id } = await taken();
    await worker.done(id, { output: { partial: true }, error: 'out of memory' });
    expect(await jobs.status(id)).toMatchObject({
      status: 'FAILED',
      error: 'out of memory',
      output: { partial: true },
    });
  });

  test('an error that is no text is told as text', async () => {
    const { jobs, worker, id } = await taken();
    await worker.done(id, { error: { code: 7 } });
    expect(await jobs.status(id)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('7') });
  });

  test('an empty object is a completed job', async () => {
    const { jobs, worker, id } = await taken();
    await worker.done(id, {});
    expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED' });
  });

  test('a broken body fails the job with a reason instead of losing it', async () => {
    const { jobs, worker, id } = await taken();
    expect((await worker.done(id, '{"output": nonsense')).status).toBe(400);
    expect((await jobs.status(id)).status).not.toBe('COMPLETED');
  });

  test('status IN_PROGRESS is progress: the job goes on and shows it as output', async () => {
    const { jobs, worker, id } = await taken();
    await worker.done(id, { status: 'IN_PROGRESS', output: '10%' });
    expect(await jobs.status(id)).toMatchObject({ status: 'IN_PROGRESS', output: '10%' });
    await worker.done(id, { status: 'IN_PROGRESS', output: { percent: 20 } });
    expect(await jobs.status(id)).toMatchObject({ status: 'IN_PROGRESS', output: { percent: 20 } });
    await worker.done(id, { output: 'all' });
    expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED', output: 'all' });
  });

  test('progress that arrives after the end is answered with success and ignored', async () => {
    const { jobs, worker, id } = await taken();
    await worker.done(id, { output: 'all' });
    expect((await worker.done(id, { status: 'IN_PROGRESS', output: '99%' })).status).toBe(200);
    expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED', output: 'all' });
  });

  test('the same result posted again is answered with success and changes nothing', async () => {
    const { jobs, worker, id } = await taken();
    await worker.done(id, { output: 1 });
    const before = await jobs.status(id);
    expect((await worker.done(id, { output: 2 })).status).toBe(200);
    expect(await jobs.status(id)).toEqual(before);
    expect((await jobs.health()).jobs.completed).toBe(1);
  });

  test('the result of a worker that does not hold the job is refused', async () => {
    const { endpointId, jobs, id } = await taken();
    const stranger = createOutsideWorker(engine, endpointId);
    expect((await stranger.done(id, { output: 'forged' })).status).toBe(409);
    expect((await stranger.done(id, { status: 'IN_PROGRESS', output: 'forged' })).status).toBe(409);
    expect((await stranger.stream(id, { output: 'forged' })).status).toBe(409);
    const view = await jobs.status(id);
    expect(view.status).toBe('IN_PROGRESS');
    expect(view).not.toHaveProperty('output');
  });

  test('a result for a job that nobody took is refused', async () => {
    const { jobs, worker } = await stage();
    const id = await jobs.run({});
    expect((await worker.done(id, { output: 'guess' })).status).toBe(409);
    expect((await jobs.status(id)).status).toBe('IN_QUEUE');
  });

  test('with next=1 the answer carries the next job, or is 204 when there is none', async () => {
    const { jobs, worker, id } = await taken();
    const next = await jobs.run({ n: 2 });
    const first = await worker.done(id, { output: 1 }, '&isStream=false&next=1');
    expect(first.status).toBe(200);
    expect(first.json).toEqual({ id: next, input: { n: 2 } });
    expect((await worker.done(next, { output: 2 }, '&isStream=false&next=1')).status).toBe(204);
    expect(await jobs.status(next)).toMatchObject({ status: 'COMPLETED', output: 2 });
  });

  test('without next=1 no job is handed out with the answer', async () => {
    const { jobs, worker, id } = await taken();
    const next = await jobs.run({ n: 2 });
    expect((await worker.done(id, { output: 1 })).json).toEqual({});
    expect((await jobs.status(next)).status).toBe('IN_QUEUE');
  });
});

describe('job-stop', () => {
  test('a stop is kept until its worker asks for it', async () => {
    const { jobs, worker, id } = await taken();
    await jobs.cancel(id);
    expect((await worker.stops()).json).toEqual({ jobsToStop: [id] });
  });

  test('only the worker that runs the job is told', async () => {
    const { endpointId, jobs, worker, id } = await taken();
    const leaving = new AbortController();
    const other = createOutsideWorker(engine, endpointId).stops(leaving.signal);
    const outcome = other.then(
      () => 'told',
      () => 'not told',
    );
    const stopping = worker.stops();
    await jobs.cancel(id);
    expect((await stopping).json).toEqual({ jobsToStop: [id] });
    leaving.abort();
    expect(await outcome).toBe('not told');
  });
});

describe('ping', () => {
  test('any worker may ping, idle or with the ids of its jobs', async () => {
    const { worker, id } = await taken();
    expect((await worker.ping([])).status).toBe(200);
    expect((await worker.ping([id])).status).toBe(200);
  });
});
