/** How long one job takes when nothing else is going on, and under arrivals that do not wait for answers. */
import { nowUs } from './measuring/clock.ts';
import type { Contender, LineWorker } from './contenders.ts';
import { measureCpu } from './measuring/processCpu.ts';
import { bodyOf, hammer, openConnection, openConnections, type RawConnection } from './measuring/rawHttp.ts';
import { checkDelivered, quantile } from './measuring/statistics.ts';
import { jobBody } from './throughput.ts';

export interface Latency {
  p50Ms: number;
  p99Ms: number;
}

export const latencyOf = (timesUs: number[]): Latency => ({
  p50Ms: quantile(timesUs, 0.5) / 1000,
  p99Ms: quantile(timesUs, 0.99) / 1000,
});

interface SyncView {
  id: string;
  status: string;
  output: { startedAt: number };
}

function completed(text: string): SyncView {
  const view = JSON.parse(text) as SyncView;
  if (view.status !== 'COMPLETED') throw new Error(`Not COMPLETED: ${text.slice(0, 300)}`);
  return view;
}

/** One bare POST and its answer: what a single hop costs here. */
export async function measureHop(bare: Contender, calls: number): Promise<Latency> {
  const connection = await openConnection(bare.address, bare.key);
  const body = jobBody();
  const times: number[] = [];
  for (let call = 0; call < calls; call++) {
    const sentAt = nowUs();
    bodyOf(await connection.request('POST', '/hop', body));
    times.push(nowUs() - sentAt);
  }
  connection.close();
  return latencyOf(times);
}

export interface Dispatch {
  /** From sending the submit to the handler's first line. */
  toHandler: Latency;
  /** From sending the submit to reading its result. */
  roundTrip: Latency;
}

/** Jobs one after another through /runsync. */
export async function measureDispatch(contender: Contender, endpointId: string, calls: number): Promise<Dispatch> {
  const connection = await openConnection(contender.address, contender.key);
  const body = jobBody();
  const toHandler: number[] = [];
  const roundTrip: number[] = [];
  const ids = new Set<string>();
  for (let call = 0; call < calls; call++) {
    const sentAt = nowUs();
    const text = bodyOf(await connection.request('POST', `/v2/${endpointId}/runsync`, body));
    const readAt = nowUs();
    const view = completed(text);
    ids.add(view.id);
    toHandler.push(view.output.startedAt - sentAt);
    roundTrip.push(readAt - sentAt);
  }
  connection.close();
  if (ids.size !== calls) throw new Error(`${calls} calls made ${ids.size} jobs`);
  return { toHandler: latencyOf(toHandler), roundTrip: latencyOf(roundTrip) };
}

/** Who is far behind is not sent ever more connections: arrivals then wait for one, and that time counts. */
const MOST_CONNECTIONS = 500;

interface Arrivals {
  perSecond: number;
  forMs: number;
}

/** Calls at fixed moments, whether or not earlier ones are answered; latency counts from the moment that was due. */
async function measureArrivals(
  { address, key }: Contender,
  { perSecond, forMs }: Arrivals,
  call: (connection: RawConnection) => Promise<void>,
): Promise<Latency> {
  const all = await openConnections(address, key, 64);
  /**
   * The longest idle one is used first, so that all of them are in use. The engine closes a connection that sends no
   * request within 10 s of its opening; one that nobody needed until then failed the arrival that needed it.
   */
  const idle = [...all];
  const times: number[] = [];
  const running: Promise<void>[] = [];
  const arrivals = Math.floor((perSecond * forMs) / 1000);
  const startUs = nowUs() + 10_000;

  let open = all.length;
  const waiting: ((connection: RawConnection) => void)[] = [];
  async function claim(): Promise<RawConnection> {
    const connection = idle.shift();
    if (connection) return connection;
    if (open >= MOST_CONNECTIONS) return new Promise((resolve) => waiting.push(resolve));
    open++;
    const opened = await openConnection(address, key);
    all.push(opened);
    return opened;
  }
  const arrive = async (dueUs: number): Promise<void> => {
    const connection = await claim();
    await call(connection);
    times.push(nowUs() - dueUs);
    const next = waiting.shift();
    if (next) next(connection);
    else idle.push(connection);
  };
  for (let arrival = 0; arrival < arrivals;) {
    const dueUs = startUs + (arrival * 1_000_000) / perSecond;
    if (nowUs() < dueUs) {
      // A timer, not a busy loop: the generator must leave its core to who is measured. Adds a millisecond at most, to
      // all alike.
      await new Promise((resolve) => setTimeout(resolve, 1));
      continue;
    }
    const arriving = arrive(dueUs);
    // Looked at below; until then nobody does.
    arriving.catch(() => undefined);
    running.push(arriving);
    arrival++;
  }
  await Promise.all(running);
  for (const connection of all) connection.close();
  return latencyOf(times);
}

/** /runsync under fixed arrivals: from the moment it was due to its result. */
export async function measureOpenLoop(contender: Contender, worker: LineWorker, arrivals: Arrivals): Promise<Latency> {
  const body = jobBody();
  const ids: string[] = [];
  const latency = await measureArrivals(contender, arrivals, async (connection) => {
    const text = bodyOf(await connection.request('POST', `/v2/${worker.endpointId}/runsync`, body));
    ids.push(completed(text).id);
  });
  checkDelivered('open loop', ids, await worker.finished(ids.length));
  return latency;
}

/** /run under fixed arrivals: from the moment it was due to its id. */
export async function measureSubmits(contender: Contender, worker: LineWorker, arrivals: Arrivals): Promise<Latency> {
  const body = jobBody();
  const ids: string[] = [];
  const latency = await measureArrivals(contender, arrivals, async (connection) => {
    const text = bodyOf(await connection.request('POST', `/v2/${worker.endpointId}/run`, body));
    ids.push((JSON.parse(text) as { id: string }).id);
  });
  checkDelivered('submits', ids, await worker.finished(ids.length));
  return latency;
}

export interface Reads {
  perSecond: number;
  /** CPU of the service, per read. */
  cpuUs: number;
}

/** `count` reads over 64 connections, going round the paths. */
export async function measureReads(
  { address, key, pids }: Contender,
  paths: readonly string[],
  count: number,
): Promise<Reads> {
  const startedAt = performance.now();
  const { cpuUs } = await measureCpu(pids, () => hammer(address, key, paths, count));
  return { perSecond: (count * 1000) / (performance.now() - startedAt), cpuUs: cpuUs / count };
}
