/** Batches against an account: inputs are sent in order, a few at a time, and none is sent twice or lost. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { Batch, NewBatch } from '#contract/bridge/batch/batches.ts';
import { limits } from '#contract/core/limits.ts';
import { systemClock } from '../../../main/app/platform/clock.ts';
import { createBatchRunner, type BatchRunner } from '../../../main/app/services/jobs/batchRunner.ts';
import { startAccountApp } from '../../support/accounts/accountApp.ts';
import { followJobs, type FollowedJobs } from '../../support/accounts/followedJobs.ts';
import { until } from '../../support/core/until.ts';
import { startRemote } from '../../support/remote/remote.ts';

function runnerOf({ ledger, sender }: FollowedJobs): BatchRunner {
  return createBatchRunner({
    ledger,
    sender,
    requireAccount: () => undefined,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    stopping: new AbortController().signal,
  });
}

async function startAll() {
  const remote = await startRemote();
  const app = startAccountApp();
  const jobs = followJobs(app);
  const { id: accountId } = await app.changes.add({
    preset: 'addresses',
    name: 'Work',
    key: remote.key,
    addresses: remote.v1,
  });
  const endpoint = remote.addEndpoint({ name: 'echo' }, null);
  const batchOf = (count: number, more: Partial<NewBatch> = {}): NewBatch => ({
    batchId: randomUUID(),
    accountId,
    endpointId: endpoint.id,
    endpointName: 'echo',
    atOnce: 3,
    inputs: Array.from({ length: count }, (_, n) => ({ line: n + 1, body: `{"input": {"n": ${n}}}` })),
    ...more,
  });
  const reach = (batchId: string, what: string, holds: (batch: Batch) => boolean): Promise<Batch> =>
    until(what, () => Promise.resolve(jobs.ledger.batches.get(batchId)), holds);
  return {
    remote,
    jobs,
    endpointId: endpoint.id,
    batchOf,
    reach,
    async [Symbol.asyncDispose]() {
      await jobs[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
      await remote[Symbol.asyncDispose]();
    },
  };
}

it('sends all inputs in their order, never more at once than wanted, and has their outputs in that order', async () => {
  await using all = await startAll();
  const { remote, jobs, endpointId, batchOf, reach } = all;
  const runner = runnerOf(jobs);
  const batch = batchOf(7);
  runner.start(batch);
  await until(
    'the first jobs',
    () => Promise.resolve(remote.jobs.all()),
    (sent) => sent.length === 3,
  );
  expect(await reach(batch.batchId, 'three to run', ({ running }) => running === 3)).toMatchObject({
    total: 7,
    unsent: 4,
    stoppedBy: null,
  });
  // The same batch once more, as a page sends it whose connection was cut.
  runner.start(batch);
  remote.jobs.serve(endpointId, ({ input }) => ({ echo: input }));
  await reach(batch.batchId, 'the end', ({ completed }) => completed === 7);
  expect(remote.jobs.all()).toHaveLength(7);
  const rows = jobs.ledger.batches.rows(batch.batchId, 0, 10);
  expect(rows.map(({ number, status, input, output }) => [number, status, input, output])).toEqual(
    batch.inputs.map(({ body }, n) => [n + 1, 'COMPLETED', body, `{"echo":{"n":${n}}}`]),
  );
  expect(jobs.ledger.list({ tag: `batch ${batch.batchId.slice(0, 8)}` }, 0, 10).matching).toBe(7);
  expect(jobs.ledger.batches.entryIds(batch.batchId)).toEqual(rows.map(({ entryId }) => entryId));
  runner.close();
});

it('that is stopped cancels its jobs and sends no more, until it is resumed', async () => {
  await using all = await startAll();
  const { remote, jobs, endpointId, batchOf, reach } = all;
  const runner = runnerOf(jobs);
  const batch = batchOf(5);
  runner.start(batch);
  await reach(batch.batchId, 'three to run', ({ running }) => running === 3);
  await runner.stop(batch.batchId);
  expect(await reach(batch.batchId, 'the cancels', ({ running }) => running === 0)).toMatchObject({
    stoppedBy: 'person',
    unsent: 2,
    failed: 3,
  });
  expect(remote.jobs.all().map(({ status }) => status)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
  remote.jobs.serve(endpointId, ({ input }) => ({ echo: input }));
  runner.resume(batch.batchId);
  const end = await reach(batch.batchId, 'the rest', ({ completed }) => completed === 2);
  expect(end).toMatchObject({ stoppedBy: null, unsent: 0, failed: 3 });
  runner.close();
});

it('runs only its failed inputs again, each in its row, once its jobs have ended', async () => {
  await using all = await startAll();
  const { remote, jobs, endpointId, batchOf, reach } = all;
  const runner = runnerOf(jobs);
  const batch = batchOf(5);
  runner.start(batch);
  await reach(batch.batchId, 'three to run', ({ running }) => running === 3);
  expect(() => runner.runAgain(batch.batchId)).toThrow('The batch is still running.');
  let isBroken = true;
  remote.jobs.serve(endpointId, ({ input }) => {
    if (isBroken && /[13]/.test(JSON.stringify(input))) throw new Error('out of memory');
    return { echo: input };
  });
  await reach(batch.batchId, 'the end', ({ running, unsent }) => running + unsent === 0);
  const before = jobs.ledger.batches.rows(batch.batchId, 0, 10);
  expect(before.map(({ status }) => status)).toEqual(['COMPLETED', 'FAILED', 'COMPLETED', 'FAILED', 'COMPLETED']);
  expect(jobs.ledger.batches.get(batch.batchId)).toMatchObject({ failed: 2, repeatable: 2 });
  isBroken = false;
  runner.runAgain(batch.batchId);
  await reach(batch.batchId, 'the second end', ({ completed }) => completed === 5);
  const after = jobs.ledger.batches.rows(batch.batchId, 0, 10);
  expect(after.map(({ number, input, output }) => [number, input, output])).toEqual(
    batch.inputs.map(({ body }, n) => [n + 1, body, `{"echo":{"n":${n}}}`]),
  );
  expect(after.map(({ entryId }, n) => entryId === before[n]?.entryId)).toEqual([true, false, true, false, true]);
  // The failed jobs are still there, with the same tag.
  expect(jobs.ledger.list({ tag: `batch ${batch.batchId.slice(0, 8)}` }, 0, 10).matching).toBe(7);
  expect(runner.runAgain(batch.batchId)).toMatchObject({ completed: 5, running: 0 });
  expect(remote.jobs.all()).toHaveLength(7);
  runner.close();
});

it('that was stopped runs what was cancelled again, and leaves unsent what the stop has left', async () => {
  await using all = await startAll();
  const { remote, jobs, endpointId, batchOf, reach } = all;
  const runner = runnerOf(jobs);
  const batch = batchOf(6, { atOnce: 2 });
  runner.start(batch);
  await reach(batch.batchId, 'two to run', ({ running }) => running === 2);
  await runner.stop(batch.batchId);
  await reach(batch.batchId, 'the cancels', ({ running }) => running === 0);
  remote.jobs.serve(endpointId, ({ input }) => ({ echo: input }));
  runner.runAgain(batch.batchId);
  const end = await reach(
    batch.batchId,
    'both again',
    ({ completed, stoppedBy }) => completed === 2 && stoppedBy !== null,
  );
  expect(end).toMatchObject({ stoppedBy: 'person', unsent: 4, failed: 0 });
  expect(remote.jobs.all()).toHaveLength(4);
  runner.resume(batch.batchId);
  await reach(batch.batchId, 'the rest', ({ completed }) => completed === 6);
  runner.close();
});

it('that Hangar did not finish waits for a person after the next start, and loses no input', async () => {
  await using all = await startAll();
  const { remote, jobs, endpointId, batchOf, reach } = all;
  const earlier = runnerOf(jobs);
  const batch = batchOf(5);
  earlier.start(batch);
  await reach(batch.batchId, 'three to run', ({ running }) => running === 3);
  earlier.close();
  const runner = runnerOf(jobs);
  runner.recover();
  expect(jobs.ledger.batches.get(batch.batchId)).toMatchObject({ stoppedBy: 'closed', unsent: 2, running: 3 });
  remote.jobs.serve(endpointId, ({ input }) => ({ echo: input }));
  await reach(batch.batchId, 'the jobs that were sent', ({ completed }) => completed === 3);
  expect(remote.jobs.all()).toHaveLength(3);
  runner.resume(batch.batchId);
  await reach(batch.batchId, 'the rest', ({ completed }) => completed === 5);
  expect(remote.jobs.all()).toHaveLength(5);
  runner.close();
});

it('stops by itself where every job is refused, and says why', async () => {
  await using all = await startAll();
  const { jobs, batchOf, reach } = all;
  const runner = runnerOf(jobs);
  const batch = batchOf(20, { endpointId: 'gone' });
  runner.start(batch);
  const end = await reach(batch.batchId, 'the stop', ({ running, stoppedBy }) => running === 0 && stoppedBy !== null);
  expect(end.stoppedBy).toBe('refused');
  expect(end.problem).toMatch(/^\d+ jobs in a row were refused\. The last answer: ./);
  expect(end.failed).toBeLessThan(9);
  expect(end.unsent).toBe(20 - end.failed);
  runner.close();
});

it('is refused whole with the line of a body that cannot be sent', async () => {
  await using all = await startAll();
  const { remote, jobs, batchOf } = all;
  const runner = runnerOf(jobs);
  const start = (...bodies: string[]) =>
    runner.start(batchOf(0, { inputs: bodies.map((body, n) => ({ line: n + 1, body })) }));
  expect(() => start('{"input": {}}', '[1]')).toThrow(/^Line 2: The request body must be a JSON object/);
  expect(() => start('{"input": {}, "s3Config": {}}')).toThrow(/^Line 1 has an "s3Config"/);
  const large = JSON.stringify({ input: { text: 'x'.repeat(limits.batch.bytes / 2) } });
  expect(() => start(large, large)).toThrow(/^The inputs have \d+ bytes; a batch has at most/);
  expect(remote.jobs.all()).toHaveLength(0);
  runner.close();
});
