/**
 * The Node worker: loads the handler of its working folder and runs jobs through it until it is told to stop.
 * Started by the engine with the worker protocol's variables in its environment.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { leaveOutOwnFrames } from './frames.mjs';
import { createLanes } from './lanes.mjs';
import { createService, NotWantedError } from './service.mjs';

const HANDLER_FILES = ['handler.mjs', 'handler.js', 'handler.ts'];
/** Ids of more jobs than have room are not named in pings. */
const JOB_IDS_BYTES = 16 * 1024;

/** Shares the ids of the running jobs with the watching thread without waking it for every job. */
function createJobIdsMemory() {
  const memory = new SharedArrayBuffer(4 + JOB_IDS_BYTES);
  const header = new Int32Array(memory, 0, 1);
  const bytes = new Uint8Array(memory, 4);
  return {
    memory,
    set(jobIds) {
      Atomics.store(header, 0, 0);
      // TextEncoder.encodeInto does not write to shared memory.
      let ids = Buffer.from(jobIds.map(encodeURIComponent).join(','));
      if (ids.length > JOB_IDS_BYTES) ids = ids.subarray(0, ids.lastIndexOf(44, JOB_IDS_BYTES));
      bytes.set(ids);
      Atomics.store(header, 0, ids.length);
    },
  };
}

function startWatch(env, memory, onStop) {
  const watch = new Worker(new URL('./watch.mjs', import.meta.url), {
    workerData: {
      pingUrl: env.RUNPOD_WEBHOOK_PING?.replaceAll('$RUNPOD_POD_ID', env.RUNPOD_POD_ID),
      authorization: env.RUNPOD_AI_API_KEY ?? '',
      intervalMs: Number(env.RUNPOD_PING_INTERVAL) || 10_000,
      jobIdsMemory: memory,
    },
  });
  watch.on('message', onStop);
  watch.unref();
  return { pingNow: () => watch.postMessage('ping') };
}

/** What is wrong with the handler, in words for a person: the frames of this worker add nothing to it. */
class HandlerProblem extends Error {
  name = 'HandlerProblem';
}

async function loadHandler() {
  const file = HANDLER_FILES.find((name) => existsSync(name));
  if (file === undefined) throw new HandlerProblem(`There is no ${HANDLER_FILES.join(', ')} in ${process.cwd()}.`);
  const module = await import(pathToFileURL(path.resolve(file)).href);
  const handler = module.default?.default ?? module.default;
  if (typeof handler !== 'function') {
    throw new HandlerProblem(`${file} must export its handler: export default function handler(job, context) { … }`);
  }
  const setting = (name) => module[name] ?? module.default[name];
  const concurrency = setting('concurrency') ?? 1;
  return {
    handler,
    aggregate: setting('aggregateStream') === true,
    slots: typeof concurrency === 'function' ? concurrency : () => concurrency,
  };
}

async function main() {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  const jobIds = createJobIdsMemory();
  const { pingNow } = startWatch(process.env, jobIds.memory, stop);
  const service = createService(process.env);
  const lanes = createLanes({
    ...(await loadHandler()),
    service,
    stopping: stopping.signal,
    onJobs: jobIds.set,
    onStopped: pingNow,
  });

  process.on('uncaughtException', (error) => {
    console.error(leaveOutOwnFrames(error));
    // What else is broken is not known, so the worker does not outlive it; but its jobs get their reason.
    void lanes.fail(error).finally(() => process.exit(1));
  });

  void service.watchStops((ids) => lanes.stop(ids));
  await lanes.run();
}

try {
  await main();
  process.exit(0);
} catch (error) {
  leaveOutOwnFrames(error);
  // Node names the file and the line of a syntax error only where nobody catches it.
  if (error instanceof SyntaxError) throw error;
  const isExplained = error instanceof NotWantedError || error instanceof HandlerProblem;
  if (!isExplained) console.error(error);
  // The engine shows a person the last line.
  const [reason] = (isExplained || error?.name === 'Error' ? error.message : String(error)).split('\n');
  console.error(`[hangar] ${reason}`);
  process.exit(1);
}
