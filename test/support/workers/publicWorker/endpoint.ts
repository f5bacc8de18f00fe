import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestEngine } from '../../engine/engine.ts';
import { jobsOf, type Jobs } from '../../jobs/jobs.ts';
import { makeEndpoint } from '../../resources/resources.ts';
import { until } from '../../core/until.ts';

/** One call of the public worker, as it saw it. */
export interface WorkerCall {
  name: 'job-take' | 'job-done' | 'job-stream' | 'job-stop' | 'ping';
  url: string;
  /** 0 where there was no answer. */
  status: number;
  tookMs: number;
  body?: string;
}

const program = join(import.meta.dirname, 'worker.mjs');

/** What the test sees of one. */
interface PublicWorker {
  /** The calls that were answered so far, oldest first; of these names, where any are given. */
  calls(...names: WorkerCall['name'][]): WorkerCall[];
  called(what: string, areRight: (calls: WorkerCall[]) => boolean): Promise<unknown>;
  /** A file that handlers can wait for, and how it is made. */
  readonly gate: string;
  open(): void;
}

export interface PublicWorkerEndpoint extends PublicWorker {
  readonly id: string;
  readonly templateId: string;
  readonly jobs: Jobs;
}

function watch(calls: string, gate: string): PublicWorker {
  const read = (...names: WorkerCall['name'][]): WorkerCall[] =>
    existsSync(calls)
      ? readFileSync(calls, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as WorkerCall)
          .filter(({ name }) => names.length === 0 || names.includes(name))
      : [];
  return {
    calls: read,
    called: (what, areRight) => until(what, () => read(), areRight),
    gate,
    open: () => writeFileSync(gate, ''),
  };
}

const callsFile = (engine: TestEngine): string => join(engine.dataDir, `calls-${randomUUID()}`);

/** One that the engine did not start. Killed at its disposal. */
export function startPublicWorker(
  engine: TestEngine,
  endpointId: string,
  gate?: string,
): PublicWorker & AsyncDisposable {
  const calls = callsFile(engine);
  const at = `${engine.address}/v2/${endpointId}`;
  const worker = `w-${randomUUID()}`;
  const child = spawn(process.execPath, [program], {
    stdio: 'ignore',
    env: {
      RUNPOD_WEBHOOK_GET_JOB: `${at}/job-take/$ID?gpu=none`,
      RUNPOD_WEBHOOK_POST_OUTPUT: `${at}/job-done/$RUNPOD_POD_ID/$ID?gpu=none`,
      RUNPOD_WEBHOOK_POST_STREAM: `${at}/job-stream/$RUNPOD_POD_ID/$ID?gpu=none`,
      RUNPOD_WEBHOOK_PING: `${at}/ping/$RUNPOD_POD_ID?gpu=none`,
      RUNPOD_POD_ID: worker,
      RUNPOD_AI_API_KEY: engine.key,
      CALLS: calls,
      FULL_SLEEP_MS: '20',
    },
  });
  return {
    ...watch(calls, gate ?? `${calls}.gate`),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

/** An endpoint whose worker calls as the public SDK does, started by the engine as a command of the template. */
export async function makePublicWorkerEndpoint(
  engine: TestEngine,
  { env = {}, endpoint = {} }: { env?: Record<string, string>; endpoint?: object } = {},
): Promise<PublicWorkerEndpoint> {
  const calls = callsFile(engine);
  const made = await makeEndpoint(
    engine,
    { 'README.md': 'A worker of the public SDK.\n' },
    {
      template: {
        dockerStartCmd: [process.execPath, program],
        env: { CALLS: calls, FULL_SLEEP_MS: '20', ...env },
      },
      endpoint: { workersMax: 1, idleTimeout: 600, ...endpoint },
    },
  );
  return {
    ...watch(calls, `${calls}.gate`),
    id: made.endpoint.id,
    templateId: made.template.id,
    jobs: jobsOf(engine, made.endpoint.id),
  };
}
