/**
 * Jobs from submit to COMPLETED through HTTP: 64 submitters, one worker process with 32 slots, 462 bytes in, 320 out.
 */
import type { Contender, LineWorker } from './contenders.ts';
import { measureCpu } from './measuring/processCpu.ts';
import { bodyOf, eachOver, openConnections } from './measuring/rawHttp.ts';
import { checkDelivered } from './measuring/statistics.ts';

const SUBMITTERS = 64;
const READERS = 16;
const INPUT_BYTES = 462;
export const OUTPUT_BYTES = 320;
export const WORKER_SLOTS = 32;

export interface Throughput {
  jobsPerSecond: number;
  /** CPU of the service and of the worker process, per job; the load generator is not counted. */
  cpuUsPerJob: number;
  serverCpuUsPerJob: number;
}

export function jobBody(extra = ''): string {
  const frame = `{"input":{${extra}"prompt":""}}`;
  return `${frame.slice(0, -3)}${'i'.repeat(Math.max(0, INPUT_BYTES - frame.length))}"}}`;
}

/** Submits jobs from 64 connections at once; answers their ids. */
export async function submitMany(
  contender: Contender,
  endpointId: string,
  jobs: number,
  body = jobBody(),
): Promise<string[]> {
  const connections = await openConnections(contender.address, contender.key, SUBMITTERS);
  const ids: string[] = [];
  await eachOver(connections, Array(jobs).keys(), async (connection) => {
    const answer = bodyOf(await connection.request('POST', `/v2/${endpointId}/run`, body));
    ids.push((JSON.parse(answer) as { id: string }).id);
  });
  for (const connection of connections) connection.close();
  return ids;
}

export async function measureThroughput(contender: Contender, worker: LineWorker, jobs: number): Promise<Throughput> {
  const startedAt = performance.now();
  const { cpuUs, result } = await measureCpu([worker.pid], () =>
    measureCpu(contender.pids, async () => {
      const delivering = worker.finished(jobs);
      const submitted = await submitMany(contender, worker.endpointId, jobs);
      return { submitted, delivered: await delivering };
    }),
  );
  const tookMs = performance.now() - startedAt;

  const { submitted, delivered } = result.result;
  checkDelivered(`${contender.name} jobs`, submitted, delivered);
  await checkCompleted(contender, worker.endpointId, submitted);
  return {
    jobsPerSecond: (jobs * 1000) / tookMs,
    cpuUsPerJob: (cpuUs + result.cpuUs) / jobs,
    serverCpuUsPerJob: result.cpuUs / jobs,
  };
}

/** Every job must be readable, COMPLETED, with the output that was made for it. */
async function checkCompleted(contender: Contender, endpointId: string, ids: readonly string[]): Promise<void> {
  const connections = await openConnections(contender.address, contender.key, READERS);
  await eachOver(connections, ids, async (connection, id) => {
    const view = JSON.parse(bodyOf(await connection.request('GET', `/v2/${endpointId}/status/${id}`))) as {
      status: string;
      output?: { job: string };
    };
    if (view.status !== 'COMPLETED' || view.output?.job !== id) {
      throw new Error(`Job ${id} should be COMPLETED with its own output: ${JSON.stringify(view).slice(0, 300)}`);
    }
  });
  for (const connection of connections) connection.close();
}
