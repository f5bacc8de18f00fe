/** When the pool starts workers, and when it does not: on a clock that is advanced by hand, with a driver that starts nothing. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { PauseState } from '#contract/machine.ts';
import { createFakeClock, createFakeIds, silentLogger } from '../../../../test/support/fakes.ts';
import { setUp as setUpJobs } from '../../../../test/support/jobRules.ts';
import { createApiKeys } from '../../domain/apiKeys.ts';
import { createEndpoints } from '../../domain/endpoints.ts';
import type { ApiKeyStore, ResourceStore, WorkerDriver, WorkerExit } from '../../domain/ports.ts';
import type { GpuClaims } from '../../domain/gpuClaims.ts';
import { createQueueSource } from '../../domain/queueSource.ts';
import { startDelayMs } from '../../domain/scaling.ts';
import { createTemplates } from '../../domain/templates.ts';
import { createWorkerPool } from './workerPool.ts';

const nothing = (): void => undefined;
const forgetful: ResourceStore & ApiKeyStore = {
  loadTemplates: () => [],
  saveTemplate: nothing,
  deleteTemplate: nothing,
  loadEndpoints: () => [],
  saveEndpoint: nothing,
  deleteEndpoint: nothing,
  load: () => [],
  save: nothing,
  saveUse: nothing,
  delete: nothing,
  claimFirstStart: () => false,
};

interface Started {
  readonly id: string;
  readonly templateName: string;
  stopped: boolean;
  end(how?: Partial<WorkerExit>): void;
}

const gpus: GpuClaims = {
  claim: () => ({ kind: 'granted', devices: [] }),
  release: nothing,
  mustLetGo: () => [],
  list: () => [],
  onChange: () => nothing,
};
const pausing = {
  state: (): PauseState => ({
    ...{ state: 'running', source: null, message: null, since: null, until: null, overruled: [] },
  }),
  onChange: () => nothing,
};

/** An endpoint with `workersMin` workers, and a driver that notes what it was asked for. */
function setUp({ workersMin = 1, workersMax = 3 } = {}) {
  const { clock, jobs, store } = setUpJobs();
  const ids = createFakeIds();
  const templates = createTemplates(forgetful, ids);
  const endpoints = createEndpoints(forgetful, templates, ids, clock);
  const started: Started[] = [];
  let unavailable: () => Promise<string | null> = () => Promise.resolve(null);
  const driver: WorkerDriver = {
    runtimeOf: () => 'node',
    unavailable: () => unavailable(),
    sweep: () => Promise.resolve(),
    start({ workerId, template }) {
      const ending = Promise.withResolvers<WorkerExit>();
      const worker: Started = {
        id: workerId,
        templateName: template.name,
        stopped: false,
        end: (how) => ending.resolve({ code: 1, signal: null, lastLines: [], startError: null, ...how }),
      };
      started.push(worker);
      return {
        pid: null,
        exited: ending.promise,
        async stop() {
          worker.stopped = true;
          await ending.promise;
        },
      };
    },
  };
  const pool = createWorkerPool({
    ...{ clock, ids, logger: silentLogger, jobs, endpoints, templates, driver },
    keys: createApiKeys(forgetful, ids, createFakeClock(), 'run-key'),
    ...{ gpus, pausing, needsOf: () => ({ mounts: [], registryAuth: null, ports: [], env: {} }) },
    sourceOf: () => createQueueSource(jobs, clock),
  });
  const template = templates.create({ name: 'first', imageName: 'file:///handlers/first' });
  const endpoint = endpoints.create({ name: 'e', templateId: template.id, workersMin, workersMax });
  /** The pool acts at the end of a turn, and the driver answers a turn later. */
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 5; turns++) await turn();
  };
  const poke = async (): Promise<void> => {
    pool.poke(endpoint.id);
    await settle();
  };
  return {
    ...{ clock, jobs, store, templates, endpoints, pool, template, endpoint, started, settle, poke },
    available: (answer: () => Promise<string | null>) => (unavailable = answer),
  };
}

test('a driver that cannot find out whether it can run takes nothing down: the endpoint says why, and it is tried again', async () => {
  const { clock, available, started, settle, poke, jobs, store, endpoint, pool } = setUp();
  available(() => Promise.reject(new Error('the disk does not answer')));
  await poke();
  expect(started).toHaveLength(0);
  const submission = { endpointId: endpoint.id, request: { input: {} }, body: '{"input":{}}', sync: false };
  jobs.submit({ ...submission, retentionMs: 1000 }, nothing);
  store.commit();
  const [job] = jobs.recent(endpoint.id);
  expect(pool.waiting(job!).message).toContain('the disk does not answer');
  available(() => Promise.resolve(null));
  clock.advance(60_000);
  await settle();
  expect(started).toHaveLength(1);
});

test('fault 16: workers that die before they have finished anything are started again after longer and longer waits', async () => {
  const { clock, started, settle, poke } = setUp();
  await poke();
  for (let deaths = 1; deaths <= 8; deaths++) {
    expect(started).toHaveLength(deaths);
    started.at(-1)!.end();
    await settle();
    const waitMs = startDelayMs(deaths - 1);
    if (waitMs > 0) {
      clock.advance(waitMs - 1);
      await settle();
      expect(started, `not sooner than ${waitMs} ms after death ${deaths}`).toHaveLength(deaths);
    }
    clock.advance(1);
    await settle();
  }
});

test('fault 16: a worker that finished a job before it died is replaced at once, however many died before', async () => {
  const { clock, started, settle, poke, jobs } = setUp();
  await poke();
  for (let deaths = 0; deaths < 4; deaths++) {
    started.at(-1)!.end();
    await settle();
    clock.advance(60_000);
    await settle();
  }
  const last = started.at(-1)!;
  jobs.workers.get(last.id)!.finished = 1;
  last.end();
  await settle();
  expect(started).toHaveLength(6);
});

test('workers of an older template are stopped when they are idle and replaced; a busy one finishes its job first', async () => {
  const { templates, endpoints, endpoint, started, settle, poke, jobs, store } = setUp({
    workersMin: 2,
    workersMax: 2,
  });
  await poke();
  const [busy, idle] = started as [Started, Started];
  const submission = { endpointId: endpoint.id, request: { input: {} }, body: '{"input":{}}', sync: false };
  jobs.submit({ ...submission, retentionMs: 1000 }, nothing);
  jobs.takeNow(jobs.workers.get(busy.id)!, 1, nothing);
  store.commit();

  const second = templates.create({ name: 'second', imageName: 'file:///handlers/second' });
  endpoints.update(endpoint.id, { templateId: second.id });
  await poke();
  expect([busy.stopped, idle.stopped]).toEqual([false, true]);
  idle.end({ code: 0 });
  await settle();
  expect(started.map(({ templateName }) => templateName)).toEqual(['first', 'first', 'second']);
  const [job] = jobs.recent(endpoint.id);
  jobs.result(job!, busy.id, { progress: false, output: '1', error: null, stopWorker: false }, nothing);
  store.commit();
  await poke();
  expect(busy.stopped).toBe(true);
  busy.end({ code: 0 });
  await settle();
  expect(started.map(({ templateName }) => templateName)).toEqual(['first', 'first', 'second', 'second']);
});
