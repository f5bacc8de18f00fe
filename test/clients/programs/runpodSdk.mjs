/** The job API through `runpod-sdk`. */
import runpodSdk from 'runpod-sdk';
import { assert, report, until, variable } from './report.mjs';

// The SDK prints each status that it reads.
console.log = () => undefined;
/** It would wait three seconds for an answer. */
const deadlineMs = Number(variable('DEADLINE_MS'));
const endpoint = runpodSdk(variable('KEY'), { baseUrl: `${variable('ADDRESS')}/v2` }).endpoint(variable('JOBS'));

await report({
  run: async () => {
    const { id, status } = await endpoint.run({ input: { a: 1, b: 2 } }, deadlineMs);
    assert.equal(status, 'IN_QUEUE');
    assert.match(id, /^[\w-]+$/);
  },
  status: async () => {
    const { id } = await endpoint.run({ input: { a: 1, b: 2 } }, deadlineMs);
    const job = await until(
      () => endpoint.status(id, deadlineMs),
      ({ status }) => status === 'COMPLETED',
    );
    assert.deepEqual(job.output, { sum: 3 });
  },
  statusSync: async () => {
    const { id } = await endpoint.run({ input: { a: 2, b: 2 } }, deadlineMs);
    assert.deepEqual((await endpoint.statusSync(id)).output, { sum: 4 });
  },
  runSync: async () => {
    const job = await endpoint.runSync({ input: { a: 20, b: 22 } });
    assert.equal(job.succeeded, true);
    assert.deepEqual(job.output, { sum: 42 });
  },
  'runSync of a job that fails': async () => {
    const job = await endpoint.runSync({ input: { fail: true } });
    assert.deepEqual([job.completed, job.succeeded, job.status], [true, false, 'FAILED']);
    assert.match(job.error, /the handler refused/);
  },
  stream: async () => {
    const { id } = await endpoint.run({ input: { text: 'a b c' } }, deadlineMs);
    const chunks = [];
    for await (const { output } of endpoint.stream(id)) chunks.push(output);
    assert.deepEqual(chunks, ['a', 'b', 'c']);
  },
  cancel: async () => {
    const { id } = await endpoint.run({ input: { hang: true } }, deadlineMs);
    await until(
      () => endpoint.status(id, deadlineMs),
      ({ status }) => status === 'IN_PROGRESS',
    );
    assert.equal((await endpoint.cancel(id, deadlineMs)).status, 'CANCELLED');
  },
  health: async () => {
    const { jobs, workers } = await endpoint.health(deadlineMs);
    assert(jobs.completed >= 1);
    assert.equal(typeof workers.idle, 'number');
  },
  purgeQueue: async () => assert.equal((await endpoint.purgeQueue(deadlineMs)).status, 'completed'),
});
