/** A worker that calls as the public Python SDK does, call by call, on an engine whose clock is put forward. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WorkerRecord } from '#contract/local/engine.ts';
import { limits } from '#contract/core/limits.ts';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { startEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { makePublicWorkerEndpoint, startPublicWorker } from '../../support/workers/publicWorker/endpoint.ts';
import { accepted, makeEndpoint, makeIdleEndpoint } from '../../support/resources/resources.ts';

let engine: ClockedEngine;
/** Its clock stands still: a worker may take as long as it likes to stop a job. */
let frozen: ClockedEngine;
beforeAll(async () => {
  [engine, frozen] = await Promise.all([startClockedEngine(), startClockedEngine()]);
  await frozen.hold();
});
afterAll(() => Promise.all([engine.close(), frozen.close()]));

describe('the public worker', () => {
  test('takes, streams and ends a job in its own order, and every call is answered 200', async () => {
    const worker = await makePublicWorkerEndpoint(engine);
    const id = await worker.jobs.run({ chunks: 3 });
    expect(await worker.jobs.finished(id)).toMatchObject({ status: 'COMPLETED', output: [] });
    await worker.called('the result to be answered', (calls) => calls.some(({ name }) => name === 'job-done'));
    const calls = worker.calls('job-take', 'job-stream', 'job-done');
    expect(calls.map(({ name, status }) => [name, status])).toEqual([
      ['job-take', 200],
      ['job-stream', 200],
      ['job-stream', 200],
      ['job-stream', 200],
      ['job-done', 200],
    ]);
    expect(calls.at(-1)?.url).toMatch(/&isStream=true$/);
    const stream = accepted(await engine.http.get(`${worker.jobs.path}/stream/${id}`));
    expect(stream).toEqual([0, 1, 2].map((n) => ({ output: { n } })));
  });

  test('finds every address as it makes them: a query is there already, and the take names itself', async () => {
    const worker = await makePublicWorkerEndpoint(engine);
    await worker.jobs.finished(await worker.jobs.run({ echo: 'x' }));
    await worker.called('a ping', (calls) => calls.some(({ name }) => name === 'ping'));
    const [take] = worker.calls('job-take');
    expect(take?.url).toMatch(/\/v2\/[^/]+\/job-take\/[^/?]+\?gpu=[^&]*&job_in_progress=0$/);
    expect(worker.calls('ping')[0]?.status).toBe(200);
    for (const { url } of worker.calls()) expect(url).not.toContain('$');
  });

  test('is told apart from other workers by what it says it is, and its endpoint remembers', async () => {
    const worker = await makePublicWorkerEndpoint(engine);
    const sdkVersions = async (list: 'workers' | 'endpoints', endpointId = worker.id) => {
      const all = accepted(await engine.http.get(`/local/v1/${list}`)) as (Partial<WorkerRecord> & { id: string })[];
      return all.filter((one) => (one.endpointId ?? one.id) === endpointId).map(({ publicSdk }) => publicSdk);
    };
    expect(await sdkVersions('endpoints')).toEqual([null]);
    await worker.jobs.finished(await worker.jobs.run({ echo: 'x' }));
    expect(await sdkVersions('workers')).toEqual(['1.12.0']);
    expect(await sdkVersions('endpoints')).toEqual(['1.12.0']);
    const handler = { 'handler.mjs': 'export default () => 1;' };
    const { endpoint: other } = await makeEndpoint(engine, handler, { endpoint: { idleTimeout: 600 } });
    const jobs = jobsOf(engine, other.id);
    await jobs.finished(await jobs.run({}));
    expect(await sdkVersions('workers', other.id)).toEqual([null]);
  });

  test('is held for 30 s when nothing waits, hears 204, and asks again at once', async () => {
    const worker = await makePublicWorkerEndpoint(engine);
    await worker.jobs.finished(await worker.jobs.run({ echo: 1 }));
    const empty = (): number => worker.calls('job-take').filter(({ status }) => status === 204).length;
    // The clock runs by itself as well.
    await engine.advance(limits.takeHoldMs / 2);
    expect(empty()).toBe(0);
    await engine.advance(limits.takeHoldMs / 2);
    await worker.called('an empty answer', () => empty() === 1);
    expect(await worker.jobs.finished(await worker.jobs.run({ echo: 2 }))).toMatchObject({ output: 2 });
  });

  test('with several slots is handed an array of at most as many jobs as it asked for', async () => {
    const worker = await makePublicWorkerEndpoint(engine, { env: { CONCURRENCY: '3' } });
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await worker.jobs.run({ until: worker.gate }));
    await worker.jobs.reached(ids[2]!, 'IN_PROGRESS');
    const { jobs } = await worker.jobs.health();
    expect([jobs.inProgress, jobs.inQueue]).toEqual([3, 2]);
    worker.open();
    for (const id of ids) expect(await worker.jobs.finished(id)).toMatchObject({ status: 'COMPLETED' });
    const sizes = worker.calls('job-take').map(({ url }) => Number(new URL(url).searchParams.get('batch_size') ?? 1));
    expect(Math.max(...sizes)).toBe(3);
  });

  test('reports progress from the side, and its failure is a FAILED job with the JSON that the SDK wrote', async () => {
    const worker = await makePublicWorkerEndpoint(engine);
    const id = await worker.jobs.run({ progress: { percent: 50 }, until: worker.gate });
    await worker.called('the progress to be answered', (calls) =>
      calls.some(
        ({ name, body, status }) => name === 'job-done' && body?.includes('IN_PROGRESS') === true && status === 200,
      ),
    );
    expect(await worker.jobs.status(id)).toMatchObject({ status: 'IN_PROGRESS', output: { percent: 50 } });
    worker.open();
    await worker.jobs.reached(id, 'COMPLETED');
    const failed = await worker.jobs.finished(await worker.jobs.run({ fail: 'no such model' }));
    expect(failed.status).toBe('FAILED');
    expect(JSON.parse(String(failed.error))).toMatchObject({
      error_message: 'no such model',
      runpod_version: '1.12.0',
    });
  });

  test('hears through its stop channel of a cancelled job, sends nothing more of it, and does the next', async () => {
    const worker = await makePublicWorkerEndpoint(frozen);
    const id = await worker.jobs.run({ hang: true });
    await worker.jobs.reached(id, 'IN_PROGRESS');
    const next = await worker.jobs.run({ echo: 'next' });
    expect(await worker.jobs.cancel(id)).toMatchObject({ status: 'CANCELLED' });
    expect(await worker.jobs.finished(next)).toMatchObject({ output: 'next' });
    expect(worker.calls('job-done').filter(({ url }) => url.includes(id))).toEqual([]);
    expect(worker.calls('job-stop').some(({ status }) => status === 200)).toBe(true);
  });

  test('of several jobs lets go of the cancelled one by its next ping, and its others go on', async () => {
    const worker = await makePublicWorkerEndpoint(frozen, { env: { CONCURRENCY: '2', RUNPOD_PING_INTERVAL: '1000' } });
    const [cancelled, other] = [await worker.jobs.run({ hang: true }), await worker.jobs.run({ until: worker.gate })];
    await worker.jobs.reached(cancelled, 'IN_PROGRESS');
    await worker.jobs.reached(other, 'IN_PROGRESS');
    await worker.jobs.cancel(cancelled);
    // Longer than a worker with one job has to let go of it.
    await frozen.advance(limits.workerGraceMs + 1000);
    expect((await worker.jobs.status(other)).status).toBe('IN_PROGRESS');
    worker.open();
    const ended = await worker.jobs.finished(other);
    expect(ended.status).toBe('COMPLETED');
    const later = await worker.jobs.finished(await worker.jobs.run({ echo: 1 }));
    expect(later.workerId).toBe(ended.workerId);
  });

  test('that asks to be replaced with its result is: the next job has another worker', async () => {
    const worker = await makePublicWorkerEndpoint(engine);
    const first = await worker.jobs.finished(await worker.jobs.run({ refresh: true }));
    const second = await worker.jobs.finished(await worker.jobs.run({ echo: 1 }));
    expect(first).toMatchObject({ status: 'COMPLETED', output: 'fresh' });
    expect(second.workerId).not.toBe(first.workerId);
  });

  test('that is to stop is answered at its job-stop, between two of which it looks whether it should end', async () => {
    const worker = await makePublicWorkerEndpoint(engine);
    await worker.jobs.finished(await worker.jobs.run({ echo: 1 }));
    // A new version of the template: an idle worker is replaced at once.
    accepted(await engine.http.send('PATCH', `/v1/templates/${worker.templateId}`, { readme: 'new' }));
    await worker.called('its job-stop to be answered', (calls) =>
      calls.some(({ name, status }) => name === 'job-stop' && status === 204),
    );
  });

  test('told to stop finishes what it has before it goes', async () => {
    const worker = await makePublicWorkerEndpoint(engine);
    const id = await worker.jobs.run({ until: worker.gate });
    await worker.jobs.reached(id, 'IN_PROGRESS');
    accepted(await engine.http.send('PATCH', `/v1/templates/${worker.templateId}`, { readme: 'new' }));
    worker.open();
    const before = await worker.jobs.finished(id);
    expect(before).toMatchObject({ status: 'COMPLETED' });
    expect((await worker.jobs.finished(await worker.jobs.run({ echo: 1 }))).workerId).not.toBe(before.workerId);
  });
});

describe('the public worker on a machine of its own', () => {
  test('keeps its job over a crash of the engine, and its result is taken by the engine that comes back', async () => {
    await using crashing = await startEngine();
    const { id: endpointId } = await makeIdleEndpoint(crashing);
    const jobs = jobsOf(crashing, endpointId);
    await using worker = startPublicWorker(crashing, endpointId);
    const id = await jobs.run({ until: worker.gate });
    await jobs.reached(id, 'IN_PROGRESS');
    const next = await jobs.run({ echo: 'next' });
    await crashing.kill9();
    await crashing.restart();
    worker.open();
    const ended = await jobs.finished(id);
    expect(ended.status).toBe('COMPLETED');
    expect(ended).not.toHaveProperty('retries');
    expect(await jobs.finished(next)).toMatchObject({ output: 'next' });
    await worker.called(
      'both results to be answered',
      (calls) => calls.filter(({ name }) => name === 'job-done').length === 2,
    );
    expect(worker.calls('job-done').map(({ status }) => status)).toEqual([200, 200]);
  });

  test('offers its result again while the engine is away', async () => {
    await using crashing = await startEngine();
    const { id: endpointId } = await makeIdleEndpoint(crashing);
    const jobs = jobsOf(crashing, endpointId);
    await using worker = startPublicWorker(crashing, endpointId);
    const id = await jobs.run({ until: worker.gate });
    await jobs.reached(id, 'IN_PROGRESS');
    await crashing.kill9();
    worker.open();
    await worker.called('a result that nobody took', (calls) => calls.some(({ name }) => name === 'job-done'));
    await crashing.restart();
    expect(await jobs.finished(id)).toMatchObject({ status: 'COMPLETED' });
    await worker.called('its result to be answered', (calls) =>
      calls.some(({ name, status }) => name === 'job-done' && status === 200),
    );
  });

  test('that crashed leaves a job, which another one does once it has been silent for 45 s', async () => {
    const { id: endpointId } = await makeIdleEndpoint(engine);
    const jobs = jobsOf(engine, endpointId);
    const crashed = startPublicWorker(engine, endpointId);
    const id = await jobs.run({ until: crashed.gate });
    await jobs.reached(id, 'IN_PROGRESS');
    await crashed[Symbol.asyncDispose]();
    await using another = startPublicWorker(engine, endpointId, crashed.gate);
    await engine.advance(limits.workerSilenceMs + 1000);
    another.open();
    expect(await jobs.finished(id)).toMatchObject({ status: 'COMPLETED', retries: 1 });
  });
});
