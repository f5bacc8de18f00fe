/** Jobs from submit to COMPLETED through HTTP: 64 submitters, one worker process with 32 slots, 462 bytes in, 320 out. */
import type { Contender, RawWorker } from './contenders.ts';
import { measureCpu } from './processCpu.ts';
import { bodyOf, openConnection } from './rawHttp.ts';
import { checkDelivered } from './statistics.ts';

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

export async function measureThroughput(contender: Contender, worker: RawWorker, jobs: number): Promise<Throughput> {
  const connections = await Promise.all(
    Array.from({ length: SUBMITTERS }, () => openConnection(contender.address, contender.key)),
  );
  const path = `/v2/${worker.endpointId}`;
  const body = jobBody();
  const submitted: string[] = [];
  let left = jobs;

  const startedAt = performance.now();
  const { cpuUs, result } = await measureCpu([worker.pid], () =>
    measureCpu([contender.pid], async () => {
      const delivering = worker.finished(jobs);
      await Promise.all(
        connections.map(async (connection) => {
          while (left-- > 0) {
            const answer = JSON.parse(bodyOf(await connection.request('POST', `${path}/run`, body))) as { id: string };
            submitted.push(answer.id);
          }
        }),
      );
      return delivering;
    }),
  );
  const tookMs = performance.now() - startedAt;

  checkDelivered(`${contender.name} jobs`, submitted, result.result);
  await checkCompleted(connections.slice(0, READERS), `${path}/status`, submitted);
  for (const connection of connections) connection.close();
  return {
    jobsPerSecond: (jobs * 1000) / tookMs,
    cpuUsPerJob: (cpuUs + result.cpuUs) / jobs,
    serverCpuUsPerJob: result.cpuUs / jobs,
  };
}

/** Every job must be readable, COMPLETED, with the output that was made for it. */
async function checkCompleted(
  connections: Awaited<ReturnType<typeof openConnection>>[],
  path: string,
  ids: readonly string[],
): Promise<void> {
  let next = 0;
  await Promise.all(
    connections.map(async (connection) => {
      for (let id = ids[next++]; id !== undefined; id = ids[next++]) {
        const view = JSON.parse(bodyOf(await connection.request('GET', `${path}/${id}`))) as {
          status: string;
          output?: { job: string };
        };
        if (view.status !== 'COMPLETED' || view.output?.job !== id) {
          throw new Error(`Job ${id} should be COMPLETED with its own output: ${JSON.stringify(view).slice(0, 300)}`);
        }
      }
    }),
  );
}
