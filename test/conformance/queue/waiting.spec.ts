/** /local/v1/jobs/{id} tells why a queued job waits: each reason with the workers that give it. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jobTimelineSchema, type Waiting } from '#contract/local/engine.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';
import { accepted, makeEndpoint, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const waitingOf = async (id: string): Promise<Waiting | null> =>
  jobTimelineSchema.parse(accepted(await engine.http.get(`/local/v1/jobs/${id}`))).waiting;

const waitsFor = (id: string, code: Waiting['code']): Promise<Waiting> =>
  until(
    `job ${id} to wait for ${code}`,
    () => waitingOf(id),
    (waiting) => waiting?.code === code && waiting,
  );

/**
 * A handler that runs until the file `gate` is in its folder, and loads once `loaded` is, if it is to wait for that.
 */
const gated = (loads = true): Record<string, string> => ({
  'handler.mjs': `
    import { existsSync } from 'node:fs';
    import { setTimeout as later } from 'node:timers/promises';
    while (${!loads} && !existsSync('loaded')) await later(5);
    export default async () => { while (!existsSync('gate')) await later(5); };`,
});

interface Gated {
  jobs: Jobs;
  endpointId: string;
  open(file: 'gate' | 'loaded'): void;
}

async function makeGated(endpoint: object, loads = true): Promise<Gated> {
  const made = await makeEndpoint(engine, gated(loads), { endpoint });
  const folder = fileURLToPath(made.template.imageName);
  return {
    jobs: jobsOf(engine, made.endpoint.id),
    endpointId: made.endpoint.id,
    open: (file) => writeFileSync(join(folder, file), ''),
  };
}

describe('a job waits', () => {
  test('while a worker starts, and it is told since when; once it runs, it waits for nothing', async () => {
    const { jobs, open } = await makeGated({}, false);
    const before = Date.now();
    const id = await jobs.run({});
    const { message, since, ahead } = await waitsFor(id, 'starting');
    expect(message).toBe('A worker is starting.');
    expect(ahead).toBe(0);
    expect(Date.parse(since ?? '')).toBeGreaterThanOrEqual(before);
    open('loaded');
    await jobs.reached(id, 'IN_PROGRESS');
    expect(await waitingOf(id)).toBeNull();
    open('gate');
    await jobs.finished(id);
    expect(await waitingOf(id)).toBeNull();
  });

  test('while all workers of workersMax are busy, behind the jobs that came before it', async () => {
    const { jobs, open } = await makeGated({ workersMax: 1 });
    const first = await jobs.run({});
    await jobs.reached(first, 'IN_PROGRESS');
    const [second, third, fourth] = [await jobs.run({}), await jobs.run({}), await jobs.run({})];
    expect(await waitingOf(second)).toMatchObject({
      code: 'maximum',
      message: 'The only worker is busy, and the endpoint may have no more: its workersMax is 1.',
      ahead: 0,
    });
    expect(await waitingOf(fourth)).toMatchObject({ code: 'maximum', ahead: 2 });
    await jobs.cancel(third);
    const { ahead, message } = (await waitingOf(fourth))!;
    expect(ahead).toBe(1);
    expect(message).toContain('1 job goes before it.');
    open('gate');
    await jobs.finished(fourth);
  });

  test('where no worker may be started, which pauses the endpoint', async () => {
    const { id } = await makeIdleEndpoint(engine);
    const { code, message } = (await waitingOf(await jobsOf(engine, id).run({})))!;
    expect(code).toBe('no-workers-allowed');
    expect(message).toMatch(/^The endpoint is paused: its workersMax is 0/);
  });

  test('while the worker of somebody else is busy, or does not ask', async () => {
    const { id: endpointId } = await makeIdleEndpoint(engine);
    const jobs = jobsOf(engine, endpointId);
    const worker = createOutsideWorker(engine, endpointId);
    const first = await jobs.run({});
    const second = await jobs.run({});
    await worker.take();
    expect(await waitingOf(second)).toMatchObject({ code: 'busy', ahead: 0 });
    await worker.done(first, { output: 1 });
    expect(await waitingOf(second)).toMatchObject({ code: 'not-asking' });
  });

  test('while the only worker is still finishing a job that was cancelled', async () => {
    const { jobs, endpointId } = await makeGated({ workersMax: 0 });
    const worker = createOutsideWorker(engine, endpointId);
    const first = await jobs.run({});
    await worker.take();
    const second = await jobs.run({});
    expect((await waitingOf(second))?.message).toMatch(/^The only worker is busy/);
    await jobs.cancel(first);
    expect((await waitingOf(second))?.message).toMatch(/^The only worker is still finishing a cancelled job/);
  });

  test('while its workers die as they start: how often, of what, and when the next one is tried', async () => {
    const { endpoint } = await makeEndpoint(engine, {
      'handler.mjs': `throw new Error('There is no such model file.');`,
    });
    const id = await jobsOf(engine, endpoint.id).run({});
    let askedAt = 0;
    const { message, nextTryAt } = await until('it to have died again', async () => {
      askedAt = Date.now();
      const waiting = await waitsFor(id, 'crash-looping');
      return waiting.nextTryAt !== null && waiting.message.includes('failed in a row') ? waiting : null;
    });
    expect(message).toContain('There is no such model file (handler.mjs:1, exit code 1).');
    expect(message).toContain('exit code 1');
    expect(message).toMatch(
      /^The handler fails on start: There is no such .* \d+ workers failed in a row; the next one starts \d+ s after the last one\.$/s,
    );
    expect(Date.parse(nextTryAt!)).toBeGreaterThan(askedAt - 1000);
  });

  test('where its handler cannot be run: why, and what to do', async () => {
    const { endpoint, template } = await makeEndpoint(engine, gated());
    const folder = fileURLToPath(template.imageName);
    rmSync(folder, { recursive: true });
    expect(existsSync(folder)).toBe(false);
    const id = await jobsOf(engine, endpoint.id).run({});
    const begunAt = Date.now();
    // Every few seconds it is looked at again, and has no next time until that has ended.
    const { message, nextTryAt } = await until(
      `job ${id} to wait for the next try`,
      () => waitingOf(id),
      (waiting) => waiting?.code === 'cannot-run' && waiting.nextTryAt !== null && waiting,
    );
    expect(message).toContain(folder);
    expect(Date.parse(nextTryAt ?? '')).toBeGreaterThan(begunAt - 1000);
  });

  test('where its priority is low: no worker is started for it, and those that are there are busy', async () => {
    const { jobs, open } = await makeGated({});
    const policy = { lowPriority: true };
    const low = await jobs.run({}, { policy });
    expect(await waitingOf(low)).toMatchObject({ code: 'low-priority' });
    const other = await jobs.run({});
    // It is older, so it goes first; the worker that the other one called for has it.
    await jobs.reached(low, 'IN_PROGRESS');
    await jobs.reached(other, 'IN_PROGRESS');
    const third = await jobs.run({}, { policy });
    const { code, message } = (await waitingOf(third))!;
    expect(code).toBe('low-priority');
    expect(message).toContain('busy');
    open('gate');
    await jobs.finished(third);
  });
});
