/**
 * The Node worker: loads the handler of its working folder and runs jobs through it until it is told to stop.
 * Started by the engine with the worker protocol's variables in its environment.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { createJobRun } from './jobRun.mjs';
import { createService, NotWantedError } from './service.mjs';

const HANDLER_FILES = ['handler.mjs', 'handler.js', 'handler.ts'];
const LONGEST_JOB_ID_BYTES = 256;

/** Shares the running job's id with the watching thread without waking it for every job. */
function createJobIdMemory() {
  const memory = new SharedArrayBuffer(4 + LONGEST_JOB_ID_BYTES);
  const header = new Int32Array(memory, 0, 1);
  const bytes = new Uint8Array(memory, 4);
  return {
    memory,
    set(jobId) {
      Atomics.store(header, 0, 0);
      // TextEncoder.encodeInto does not write to shared memory.
      const id = Buffer.from(jobId).subarray(0, LONGEST_JOB_ID_BYTES);
      bytes.set(id);
      Atomics.store(header, 0, id.length);
    },
  };
}

function startWatch(env, memory, onStop) {
  const watch = new Worker(new URL('./watch.mjs', import.meta.url), {
    workerData: {
      pingUrl: env.RUNPOD_WEBHOOK_PING?.replaceAll('$RUNPOD_POD_ID', env.RUNPOD_POD_ID),
      authorization: env.RUNPOD_AI_API_KEY ?? '',
      intervalMs: Number(env.RUNPOD_PING_INTERVAL) || 10_000,
      jobIdMemory: memory,
    },
  });
  watch.on('message', onStop);
  watch.unref();
}

async function loadHandler() {
  const file = HANDLER_FILES.find((name) => existsSync(name));
  if (file === undefined) throw new Error(`There is no ${HANDLER_FILES.join(', ')} in ${process.cwd()}.`);
  const module = await import(pathToFileURL(path.resolve(file)).href);
  const handler = module.default?.default ?? module.default;
  if (typeof handler !== 'function') {
    throw new Error(`${file} must export its handler: export default function handler(job, context) { … }`);
  }
  return { handler, aggregate: (module.aggregateStream ?? module.default.aggregateStream) === true };
}

async function main() {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  const jobId = createJobIdMemory();
  startWatch(process.env, jobId.memory, stop);
  const service = createService(process.env);
  const jobRun = createJobRun({ ...(await loadHandler()), service, shouldContinue: () => !stopping.signal.aborted });

  process.on('uncaughtException', (error) => {
    console.error(error);
    // What else is broken is not known, so the worker does not outlive it; but the job gets its reason.
    void jobRun.fail(error).finally(() => process.exit(1));
  });

  void service.watchStops((ids) => jobRun.stop(ids));
  let job = null;
  for (;;) {
    job ??= await service.take(stopping.signal);
    if (job === null) return;
    jobId.set(job.id);
    job = await jobRun.run(job);
    if (job === null) jobId.set('');
  }
}

try {
  await main();
  process.exit(0);
} catch (error) {
  if (!(error instanceof NotWantedError)) console.error(error);
  // The engine shows a person the last line.
  console.error(`[hangar] ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
  process.exit(1);
}
