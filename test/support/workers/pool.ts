/**
 * A worker pool on a clock that is advanced by hand, with the real rules of jobs and GPUs, and a driver that starts
 * nothing.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { MachineSettings, PauseState } from '#contract/local/machine.ts';
import type { EndpointCreate } from '#contract/api/resources.ts';
import { createApiKeys } from '../../../main/engine/domain/access/apiKeys.ts';
import { createEndpoints } from '../../../main/engine/domain/resources/endpoints.ts';
import type { Jobs } from '../../../main/engine/domain/jobs/jobs.ts';
import type { Job } from '../../../main/engine/domain/jobs/jobRecord.ts';
import { createGpuAllocator } from '../../../main/engine/domain/gpus/allocator.ts';
import type { KnownGpu } from '../../../main/engine/domain/gpus/machineGpus.ts';
import type { ApiKeyStore } from '../../../main/engine/domain/access/ports.ts';
import type { ResourceStore } from '../../../main/engine/domain/resources/ports.ts';
import type { WorkerDriver, WorkerExit, WorkerStart } from '../../../main/engine/domain/autoscaling/ports.ts';
import { createQueueDemand } from '../../../main/engine/domain/autoscaling/queueDemand.ts';
import { createTemplates } from '../../../main/engine/domain/resources/templates.ts';
import type { WorkerWatch } from '../../../main/engine/domain/autoscaling/workerEvents.ts';
import { createWorkerPool, type WorkerPool } from '../../../main/engine/runtime/workers/pool/workerPool.ts';
import { createFakeClock, createFakeIds, createFakeJobStore, silentLogger } from '../core/fakes.ts';
import { setUp as setUpJobs } from '../jobs/rules.ts';

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

export interface Started {
  readonly id: string;
  readonly endpointId: string;
  readonly templateName: string;
  readonly start: WorkerStart;
  stopped: boolean;
  /** Asks for a job, and has it where there is one. */
  ask(): Promise<Job | null>;
  done(job: Job): Promise<void>;
  prepared(): Promise<void>;
  end(how?: Partial<WorkerExit>): Promise<void>;
}

const running: PauseState = {
  state: 'running',
  source: null,
  message: null,
  since: null,
  until: null,
  overruled: [],
};

export const gpu = (typeId: string, index: number): KnownGpu => ({
  uuid: `GPU-${index}`,
  index,
  vendor: 'nvidia',
  typeId,
  memoryBytes: 2 ** 34,
  driverVersion: null,
  load: null,
});

interface StartedWorkers {
  jobs: Jobs;
  started: Started[];
  /** Whether its workers must be prepared before they run. */
  prepares: boolean;
  unavailable: () => Promise<string | null>;
  settle: () => Promise<void>;
}

/** A driver whose workers do what the test says. */
function createScriptedDriver({ jobs, started, prepares, unavailable, settle }: StartedWorkers): WorkerDriver {
  return {
    runtimeOf: () => 'node',
    unavailable,
    inspect: () => Promise.resolve(null),
    sweep: () => Promise.resolve(),
    start(start) {
      const ending = Promise.withResolvers<WorkerExit>();
      const preparing = Promise.withResolvers<undefined>();
      let isPrepared = !prepares;
      const worker: Started = {
        start,
        id: start.workerId,
        endpointId: start.endpointId,
        templateName: start.template.name,
        stopped: false,
        async ask() {
          let taken: Job | null = null;
          jobs.take(jobs.workers.get(start.workerId)!, 1, ([job]) => (taken = job ?? null));
          await settle();
          return taken;
        },
        async done(job) {
          jobs.result(job, start.workerId, { progress: false, output: '1', error: null, stopWorker: false }, nothing);
          await settle();
        },
        async prepared() {
          isPrepared = true;
          preparing.resolve(undefined);
          await settle();
        },
        async end(how) {
          ending.resolve({ code: 0, signal: null, lastLines: [], startError: null, ...how });
          await settle();
        },
      };
      started.push(worker);
      return {
        pid: null,
        exited: ending.promise,
        ...(prepares ? { prepared: preparing.promise, preparing: () => (isPrepared ? null : 'Pulling it, 40 %') } : {}),
        async stop() {
          worker.stopped = true;
          await ending.promise;
        },
      };
    },
  };
}

/** An endpoint, and what its driver was asked to start. `gpus`: what the machine has. */
export function setUpPool(
  over: Partial<EndpointCreate> = {},
  { gpus = [], prepares = false, watch }: { gpus?: KnownGpu[]; prepares?: boolean; watch?: WorkerWatch } = {},
) {
  let pool: WorkerPool | null = null;
  const { clock, jobs, store } = setUpJobs(createFakeJobStore(), (id) => pool?.poke(id));
  const ids = createFakeIds();
  const templates = createTemplates(forgetful, ids);
  const endpoints = createEndpoints(forgetful, templates, ids, clock);
  const started: Started[] = [];
  let unavailable: () => Promise<string | null> = () => Promise.resolve(null);
  const choices: MachineSettings['gpus'] = {};
  const allocator = createGpuAllocator({
    source: { list: () => gpus, problem: () => null, driverFails: () => false, onChange: () => nothing },
    choices: () => choices,
  });
  let pause = running;
  let paused = nothing;

  /** The pool acts at the end of a turn, and the driver answers a turn later. */
  async function settle(): Promise<void> {
    store.commit();
    for (let turns = 0; turns < 8; turns++) await turn();
  }

  const driver = createScriptedDriver({
    jobs,
    started,
    prepares,
    unavailable: () => unavailable(),
    settle,
  });
  pool = createWorkerPool({
    clock,
    ids,
    logger: silentLogger,
    jobs,
    endpoints,
    templates,
    driver,
    keys: createApiKeys(forgetful, ids, createFakeClock(), 'run-key'),
    gpus: allocator,
    pausing: {
      state: () => pause,
      onChange(listener) {
        paused = () => listener(pause);
        return nothing;
      },
    },
    needsOf: (_endpoint, { env }) => ({
      mounts: [],
      registryAuth: null,
      ports: [],
      templateEnv: env,
      env: {},
      limits: { vcpuCount: 0, memoryInGb: 0 },
    }),
    sourceOf: () => createQueueDemand(jobs, clock),
    ...(watch ? { watch } : {}),
  });
  const made = pool;
  const template = templates.create({ name: 'first', imageName: 'file:///handlers/first' });
  const endpoint = endpoints.create({ name: 'e', templateId: template.id, ...over });

  async function poke(endpointId = endpoint.id): Promise<void> {
    made.poke(endpointId);
    await settle();
  }

  return {
    clock,
    jobs,
    store,
    templates,
    endpoints,
    pool: made,
    template,
    endpoint,
    started,
    settle,
    poke,
    choices,
    allocator,
    available: (answer: () => Promise<string | null>) => (unavailable = answer),
    async submit(endpointId = endpoint.id, lowPriority = false): Promise<Job> {
      let job: Job | null = null;
      const request = { input: {}, policy: { lowPriority } };
      const submission = { endpointId, request, body: '{"input":{}}', sync: false, retentionMs: 1_800_000 };
      jobs.submit(submission, (_error, one) => (job = one));
      await settle();
      return job!;
    },
    /** Passes as much time, and lets what falls due happen. */
    async pass(ms: number): Promise<void> {
      clock.advance(ms);
      await settle();
    },
    async pause(state: PauseState['state']): Promise<void> {
      pause = state === 'running' ? running : { ...running, state, source: 'person', message: 'Paused by you.' };
      paused();
      await settle();
    },
    /** Who is there and was not told to end. */
    there: () => started.filter(({ id, stopped }) => !stopped && jobs.workers.get(id)),
  };
}
