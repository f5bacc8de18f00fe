/** Workers on the public Python SDK, in five of its versions, started by the engine as commands of a template. */
import { copyFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { JobView } from '#contract/api/job.ts';
import { pythonIn } from '../support/clients/python.ts';
import { tryCalls, type CallOutcome } from '../support/clients/program.ts';
import { testClient } from '../support/clients/suite.ts';
import { DEADLINE_MS, until, untilWithin } from '../support/core/until.ts';
import { startEngine, type TestEngine } from '../support/engine/engine.ts';
import { jobsOf, type Jobs } from '../support/jobs/jobs.ts';
import { accepted, makeEndpoint } from '../support/resources/resources.ts';
import { reasonOf } from './reasons.ts';
import { runpodWorkers, type PublishedClient } from './table.ts';

const program = join(import.meta.dirname, 'programs', 'worker.py');
const patientEntry = resolve(import.meta.dirname, '../support/engine/patientEntry.ts');
const drained = async (engine: TestEngine, jobs: Jobs, id: string): Promise<unknown> =>
  accepted(await engine.http.get(`${jobs.path}/stream/${id}`));

/** How the engine saw workers of an endpoint end, oldest first, in the words of its log. */
function endsOf(engine: TestEngine, endpointId: string): string[] {
  const lines = engine.stderr.split('\n').filter((line) => line.includes('"worker ended"'));
  return lines
    .map((line) => JSON.parse(line) as { endpointId: string; how: string })
    .filter((line) => line.endpointId === endpointId)
    .map(({ how }) => how);
}

/** What tells that a worker ended by itself when it was told to, and was not killed. */
const ENDED_ITSELF = /^exit code 0|^ended by SIGTERM/;

/** How long a call is tried that is known not to pass, in milliseconds. */
const KNOWN_MS = 2000;

async function makeCalls(folder: string, worker: PublishedClient): Promise<CallOutcome[]> {
  await using engine = await startEngine({ logLevel: 'info' });
  // Some versions take seconds to end, and on a slow machine more than the engine waits before it kills them.
  await using patient = await startEngine({ logLevel: 'info', entry: patientEntry });
  /** It is deleted after the calls that use it: an idle worker of some versions keeps a core busy. */
  const endpoint = async (kind: string, on: TestEngine, settings: object = {}) => {
    const made = await makeEndpoint(
      on,
      { 'README.md': 'A worker on the public Python SDK.\n' },
      {
        template: { dockerStartCmd: [pythonIn(folder), '-u', 'worker.py'], env: { KIND: kind } },
        endpoint: { workersMax: 1, idleTimeout: 600, ...settings },
      },
    );
    await copyFile(program, join(fileURLToPath(made.template.imageName), 'worker.py'));
    const { id } = made.endpoint;
    const remove = async (): Promise<void> =>
      expect((await on.http.send('DELETE', `/v1/endpoints/${id}`)).status).toBe(204);
    return { id, jobs: jobsOf(on, id), [Symbol.asyncDispose]: remove };
  };
  const plain = await endpoint('plain', engine);
  const { jobs } = plain;
  const run = async (input: object): Promise<JobView> => jobs.finished(await jobs.run(input));

  const ofPlain = await tryCalls({
    job: async () => expect(await run({ a: 20, b: 22 })).toMatchObject({ status: 'COMPLETED', output: { sum: 42 } }),
    'failed job': async () =>
      expect(await run({ fail: true })).toMatchObject({
        status: 'FAILED',
        error: expect.stringContaining('the handler refused'),
      }),
    progress: async () => {
      const gate = join(engine.dataDir, 'gate');
      const id = await jobs.run({ progress: true, until: gate, a: 1 });
      await until(
        'the progress to be shown',
        () => jobs.status(id),
        ({ output }) => output === 'half',
      );
      await writeFile(gate, '');
      expect(await jobs.finished(id)).toMatchObject({ status: 'COMPLETED', output: { sum: 1 } });
    },
    cancel: async () => {
      const id = await jobs.run({ hang: true });
      await jobs.reached(id, 'IN_PROGRESS');
      expect(await jobs.cancel(id)).toMatchObject({ status: 'CANCELLED' });
      expect(await run({ a: 1, b: 1 })).toMatchObject({ status: 'COMPLETED', output: { sum: 2 } });
    },
    refresh: async () => {
      const before = await run({ refresh: true });
      expect(before).toMatchObject({ status: 'COMPLETED' });
      const after = await run({ a: 1, b: 1 });
      expect(after).toMatchObject({ status: 'COMPLETED', output: { sum: 2 } });
      expect(after.workerId).not.toBe(before.workerId);
    },
  });
  await plain[Symbol.asyncDispose]();

  /** Its worker has one job, of 'aggregated stream', and is idle then. */
  await using aggregated = await endpoint('aggregated', patient, { idleTimeout: 1 });
  const ofOthers = await tryCalls({
    stream: async () => {
      await using made = await endpoint('stream', engine);
      const streamed = made.jobs;
      const id = await streamed.run({ text: 'a b c' });
      expect(await streamed.finished(id)).toMatchObject({ status: 'COMPLETED' });
      expect(await drained(engine, streamed, id)).toMatchObject(['a', 'b', 'c'].map((output) => ({ output })));
    },
    'aggregated stream': async () => {
      const id = await aggregated.jobs.run({ text: 'a b c' });
      expect(await aggregated.jobs.finished(id)).toMatchObject({ status: 'COMPLETED', output: ['a', 'b', 'c'] });
    },
    'idle stop': async () => {
      const [how] = await until(
        'the idle worker to end',
        () => endsOf(patient, aggregated.id),
        (ends) => ends.length > 0,
      );
      expect(how).toMatch(ENDED_ITSELF);
      expect(endsOf(engine, plain.id).filter((end) => end.includes('exit code 1'))).toEqual([]);
    },
    concurrency: async () => {
      await using made = await endpoint('concurrent', engine);
      const several = made.jobs;
      const gate = join(engine.dataDir, 'concurrent');
      const ids = await Promise.all([1, 2, 3].map((a) => several.run({ progress: true, until: gate, a })));
      await until(
        'a job to run',
        () => several.health(),
        ({ jobs: { inProgress } }) => inProgress > 0,
      );
      await untilWithin(
        reasonOf(worker, 'concurrency') === undefined ? DEADLINE_MS : KNOWN_MS,
        'three jobs to run at once',
        () => several.health(),
        ({ jobs: { inProgress } }) => inProgress === 3,
      );
      await writeFile(gate, '');
      for (const id of ids) expect(await several.finished(id)).toMatchObject({ status: 'COMPLETED' });
    },
  });
  return [...ofPlain, ...ofOthers];
}

for (const worker of runpodWorkers) await testClient(worker, (folder) => makeCalls(folder, worker));
