/**
 * Workers of the engine that die of their jobs, or hang in them: real processes, ended in every way a process can end.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { workerSchema } from '#contract/local/engine.ts';
import { limits } from '#contract/core/limits.ts';
import { oomKills } from '../../../main/engine/runtime/host/oomKills.ts';
import { startMark } from '../../../main/engine/runtime/process/identity.ts';
import { startClockedEngine, type ClockedEngine } from '../../support/engine/clockedEngine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';
import { accepted, makeEndpoint, type HandlerFiles } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';
import { hasPython } from '../workers/harness.ts';
import { needsPosix } from '../../support/core/skip.ts';

const POSIX = process.platform !== 'win32';
const harness = resolve(import.meta.dirname, '../../../resources/worker-kit/node/harness.mjs');

let engine: ClockedEngine;
beforeAll(async () => {
  engine = await startClockedEngine();
});
afterAll(() => engine.close());

interface Death {
  files: HandlerFiles;
  template?: object;
  tells: RegExp;
  /** Where the system killed another process meanwhile, because memory ran out: this one may be taken for it. */
  mayTell?: RegExp;
}

const javascript = (body: string): HandlerFiles => ({ 'handler.mjs': `export default () => { ${body} };` });
const deaths: Record<string, Death> = {
  'exit code': {
    files: javascript(`console.error('no licence for this model'); process.exit(7);`),
    tells: /exit code 7; last output: no licence for this model\./,
  },
  ...(POSIX && {
    SIGKILL: {
      files: javascript(`process.kill(process.pid, 'SIGKILL');`),
      tells: /killed by SIGKILL \(often because the system ran out of memory\)/,
      mayTell: /out of memory \(killed by SIGKILL\)/,
    },
    'out of memory': {
      files: javascript(`const kept = []; for (;;) kept.push(new Array(10_000).fill({}));`),
      template: { dockerStartCmd: [process.execPath, '--max-old-space-size=32', harness] },
      tells: /JavaScript heap out of memory/,
    },
  }),
  ...(POSIX &&
    hasPython && {
      segfault: {
        files: { 'handler.py': 'import ctypes\ndef handler(job):\n    ctypes.string_at(0)\n' },
        tells: /ended by SIGSEGV \(native code accessed invalid memory\)/,
      },
    }),
};

test('fault 16: a job that kills its worker is tried once more, and then fails with how the worker died', async () => {
  await Promise.all(
    Object.values(deaths).map(async ({ files, template = {}, tells, mayTell = tells }) => {
      const killsBefore = oomKills();
      const { endpoint } = await makeEndpoint(engine, files, { template, endpoint: { workersMax: 1 } });
      const jobs = jobsOf(engine, endpoint.id);
      const view = await jobs.finished(await jobs.run({}));
      expect(view).toMatchObject({ status: 'FAILED', retries: 1 });
      const isTakenForIt = oomKills() !== killsBefore && mayTell.test(view.error ?? '');
      expect(view.error).toMatch(isTakenForIt ? mayTell : tells);
      expect(view.error).toMatch(/^The job's worker was lost: .* The job lost 2 workers and is not tried again\.$/);
      expect((await jobs.health()).jobs).toMatchObject({ failed: 1, retried: 1, inQueue: 0, inProgress: 0 });
    }),
  );
});

test('fault 16: a job that kills its worker does not hold up the jobs behind it: they are done between its attempts', async () => {
  const { template, endpoint } = await makeEndpoint(
    engine,
    {
      'handler.mjs': `
        import { appendFileSync } from 'node:fs';
        const runs = new URL('./runs', import.meta.url);
        export default (job) => {
          appendFileSync(runs, job.input.name + '\\n');
          if (job.input.name === 'poison') process.exit(1);
        };`,
    },
    { endpoint: { workersMax: 0 } },
  );
  const jobs = jobsOf(engine, endpoint.id);
  const poison = await jobs.run({ name: 'poison' });
  const others = [];
  for (const name of ['first', 'second', 'third']) others.push(await jobs.run({ name }));
  accepted(await engine.http.send('PATCH', `/v1/endpoints/${endpoint.id}`, { workersMax: 1 }));
  expect(await jobs.finished(poison)).toMatchObject({ status: 'FAILED', retries: 1 });
  for (const id of others) expect(await jobs.status(id)).toMatchObject({ status: 'COMPLETED' });
  const runs = await readFile(fileURLToPath(`${template.imageName}/runs`), 'utf8');
  expect(runs.trim().split('\n')).toEqual(['poison', 'first', 'second', 'third', 'poison']);
});

const workersOf = async (endpointId: string) =>
  z
    .array(workerSchema)
    .parse(accepted(await engine.http.get('/local/v1/workers')))
    .filter((worker) => worker.endpointId === endpointId);

test(
  'fault 19: a worker that dies while it waits for a job is replaced for the job that comes',
  needsPosix,
  async () => {
    const { endpoint } = await makeEndpoint(
      engine,
      { 'handler.mjs': 'export default () => process.pid;' },
      { endpoint: { workersMin: 1, workersMax: 1 } },
    );
    const jobs = jobsOf(engine, endpoint.id);
    const [waiting] = await until(
      'the worker to wait',
      () => workersOf(endpoint.id),
      (workers) => workers[0]?.state === 'idle',
    );
    process.kill(waiting!.pid!, 'SIGKILL');
    const view = await jobs.finished(await jobs.run({}));
    expect(view).toMatchObject({ status: 'COMPLETED' });
    expect(view.output).not.toBe(waiting!.pid);
  },
);

/** Ways to be stuck. Each first tells the process ids that must be gone in the end. */
const hangs = {
  'an endless loop': 'for (;;);',
  'a stopped process': `process.kill(process.pid, 'SIGSTOP'); for (;;);`,
  'an endless loop beside a child in its group': `start(false); for (;;);`,
  'an endless loop beside a child outside of its group': `start(true); for (;;);`,
};

test(
  'fault 17: a job whose worker hangs is TIMED_OUT at once; its worker is ended with all it started, and the next job runs',
  needsPosix,
  async () => {
    const hung = await Promise.all(
      Object.entries(hangs).map(async ([name, hang]) => {
        const { template, endpoint } = await makeEndpoint(
          engine,
          {
            'handler.mjs': `
              import { spawn } from 'node:child_process';
              import { writeFileSync } from 'node:fs';
              const pids = [process.pid];
              const tell = () => writeFileSync(new URL('./pids', import.meta.url), JSON.stringify(pids));
              const start = (detached) => {
                pids.push(spawn('sleep', ['600'], { detached, stdio: 'ignore' }).pid);
                tell();
              };
              export default (job) => {
                if (!job.input.hang) return 'ran';
                process.on('SIGTERM', () => undefined);
                tell();
                ${hang}
              };`,
          },
          { endpoint: { workersMax: 1 } },
        );
        const jobs = jobsOf(engine, endpoint.id);
        const id = await jobs.run({ hang: true }, { policy: { executionTimeout: limits.executionTimeoutMs.min } });
        const next = await jobs.run({ hang: false });
        const pidFile = join(fileURLToPath(template.imageName), 'pids');
        const expected = name.includes('child') ? 2 : 1;
        const pids = await until(`${name} to begin`, () => {
          const pids = existsSync(pidFile) ? readFileSync(pidFile, 'utf8') : '';
          const list = pids === '' ? [] : z.array(z.int()).parse(JSON.parse(pids));
          return list.length === expected && list;
        });
        return { name, jobs, endpoint, id, next, pids };
      }),
    );

    await engine.advance(limits.executionTimeoutMs.min);
    for (const { name, jobs, id } of hung) {
      expect(await jobs.status(id), name).toMatchObject({
        status: 'TIMED_OUT',
        error: expect.stringContaining('5000 ms'),
      });
    }
    // They were told to stop and do not: their grace passes.
    await engine.advance(limits.workerGraceMs);
    for (const { name, jobs, endpoint, id, next, pids } of hung) {
      expect(await jobs.finished(next), name).toMatchObject({ status: 'COMPLETED', output: 'ran' });
      await until(
        `all of ${name} to be gone`,
        () => Promise.all(pids.map(startMark)),
        (marks) => marks.every((mark) => mark === null),
      );
      // Its word of the job comes too late, whatever it is.
      const ended = await jobs.status(id);
      const ghost = createOutsideWorker(engine, endpoint.id, ended['workerId']);
      await ghost.done(id, { output: 'late' });
      expect((await ghost.stream(id, { output: 'late' })).status).toBe(409);
      expect(await jobs.status(id)).toEqual(ended);
    }
  },
);
