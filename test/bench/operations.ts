/** What each operation on a queue costs the service, in CPU. */
import type { Contender } from './contenders.ts';
import { measureCpu } from './measuring/processCpu.ts';
import { bodyOf, eachOver, hammer, openConnection, openConnections } from './measuring/rawHttp.ts';
import { checkDelivered } from './measuring/statistics.ts';
import { jobBody, submitMany } from './throughput.ts';

export const OPERATIONS = ['submit', 'take', 'status', 'cancel', 'health'] as const;
/** Microseconds per operation. */
export type OperationCpu = Record<(typeof OPERATIONS)[number], number>;

const CONNECTIONS = 64;
const WORKER = 'bench-worker';

/** Measures `count` of each; the queue is as deep afterwards as it was before. */
export async function measureOperations(
  contender: Contender,
  endpointId: string,
  count: number,
): Promise<OperationCpu> {
  const { address, key, pids } = contender;
  const path = `/v2/${endpointId}`;
  const each = (work: () => Promise<unknown>): Promise<number> =>
    measureCpu(pids, work).then(({ cpuUs }) => cpuUs / count);

  let submitted: string[] = [];
  const submit = await each(async () => (submitted = await submitMany(contender, endpointId, count)));
  const extra = await submitMany(contender, endpointId, count);

  const connections = await openConnections(address, key, CONNECTIONS);
  const taken: string[] = [];
  const take = await each(() =>
    eachOver(connections, Array(count).keys(), async (connection) => {
      const answer = bodyOf(await connection.request('GET', `${path}/job-take/${WORKER}?job_in_progress=1`));
      taken.push((JSON.parse(answer) as { id: string }).id);
    }),
  );
  await eachOver(connections, taken, async (connection, id) => {
    bodyOf(await connection.request('POST', `${path}/job-done/${WORKER}/${id}`, '{"output":null}'));
  });
  if (new Set(taken).size !== count) throw new Error(`${count} takes handed out ${new Set(taken).size} jobs`);

  const paths = [...submitted, ...extra].slice(-count).map((id) => `${path}/status/${id}`);
  const status = await each(() => hammer(address, key, paths, count, CONNECTIONS));

  // The newest: a shallow queue has handed out all the others.
  const cancelled: string[] = [];
  const cancel = await each(() =>
    eachOver(connections, extra, async (connection, id) => {
      const answer = bodyOf(await connection.request('POST', `${path}/cancel/${id}`, '{}'));
      cancelled.push((JSON.parse(answer) as { id: string }).id);
    }),
  );
  checkDelivered('cancels', extra, cancelled);

  const health = await each(() => hammer(address, key, [`${path}/health`], count, CONNECTIONS));
  for (const connection of connections) connection.close();
  return { submit, take, status, cancel, health };
}

const SHORTEST_TTL_MS = 10_000;
const LOOK_EVERY_MS = 100;

/** CPU of removing a queued job whose ttl has passed, microseconds; all of them fall due within a second or so. */
export async function measureTtlSweep(contender: Contender, endpointId: string, count: number): Promise<number> {
  const { address, key, pids } = contender;
  const connection = await openConnection(address, key);
  const queued = async (): Promise<number> => {
    const answer = bodyOf(await connection.request('GET', `/v2/${endpointId}/health`));
    return (JSON.parse(answer) as { jobs: { inQueue: number } }).jobs.inQueue;
  };
  const before = await queued();
  const body = jobBody().replace(/\}$/, `,"policy":{"ttl":${SHORTEST_TTL_MS}}}`);
  await submitMany(contender, endpointId, count, body);
  const { cpuUs } = await measureCpu(pids, async () => {
    while ((await queued()) > before) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  });
  connection.close();
  return cpuUs / count;
}
