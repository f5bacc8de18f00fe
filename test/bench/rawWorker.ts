/**
 * A worker process on bare sockets: `slots` connections that take a job and answer it at once, or stream chunks first when its
 * input asks for that. It costs as little as a worker can, so that the figures are the service's. Forked by the benchmark.
 */
import { nowUs } from './clock.ts';
import { bodyOf, openConnection, type RawConnection } from './rawHttp.ts';

export interface WorkerOrders {
  address: string;
  key: string;
  endpointId: string;
  slots: number;
  /** Asks for the next job with the result of the last (`next=1`) instead of by a request of its own. */
  next: boolean;
  /** What the result is filled up to, bytes. */
  outputBytes: number;
}

/** What a job's input may ask the worker to stream. */
export interface StreamOrder {
  chunks: number;
  chunkBytes: number;
  /** One open request with a chunk a line; otherwise one request per chunk, 16 at a time. */
  open: boolean;
}

export type WorkerReport = { type: 'working' } | { type: 'finished'; ids: string[] };

const POSTS_IN_FLIGHT = 16;
const REPORT_EVERY_MS = 10;

const report = (message: WorkerReport): void => {
  process.send?.(message);
};

let finished: string[] = [];
function noteFinished(id: string): void {
  if (finished.length === 0) {
    setTimeout(() => {
      const ids = finished;
      finished = [];
      report({ type: 'finished', ids });
    }, REPORT_EVERY_MS);
  }
  finished.push(id);
}

function chunkText(n: number, bytes: number): string {
  const frame = `{"output":{"n":${n},"fill":""}}`;
  return `${frame.slice(0, -3)}${'c'.repeat(Math.max(0, bytes - frame.length))}"}}`;
}

async function streamChunks(
  orders: WorkerOrders,
  id: string,
  { chunks, chunkBytes, open }: StreamOrder,
): Promise<void> {
  const path = `/v2/${orders.endpointId}/job-stream/raw-${orders.endpointId}/${id}?gpu=none&isStream=false`;
  if (open) {
    const connection = await openConnection(orders.address, orders.key);
    const request = connection.open('POST', `${path}&ndjson=1`);
    for (let n = 0; n < chunks; n++) await request.write(`${chunkText(n, chunkBytes)}\n`);
    bodyOf(await request.end());
    connection.close();
    return;
  }
  let n = 0;
  await Promise.all(
    Array.from({ length: POSTS_IN_FLIGHT }, async () => {
      const connection = await openConnection(orders.address, orders.key);
      while (n < chunks) bodyOf(await connection.request('POST', path, chunkText(n++, chunkBytes)));
      connection.close();
    }),
  );
}

const ID = /"id" *: *"([^"]+)"/;
const STREAM = '"stream":{"chunks"';

async function work(connection: RawConnection, orders: WorkerOrders): Promise<never> {
  const { endpointId, next, outputBytes } = orders;
  const base = `/v2/${endpointId}`;
  const query = `?gpu=none&isStream=false${next ? '&next=1' : ''}`;
  let job: string | null = null;
  for (;;) {
    if (job === null) {
      const answer = await connection.request('GET', `${base}/job-take/raw-${endpointId}?gpu=none&job_in_progress=0`);
      if (answer.status === 204) continue;
      job = bodyOf(answer);
    }
    const startedAt = nowUs();
    const id = ID.exec(job)?.[1] ?? '';
    if (job.includes(STREAM)) {
      const { input } = JSON.parse(job) as { input: { stream: StreamOrder } };
      await streamChunks(orders, id, input.stream);
    }
    const frame = `{"output":{"job":"${id}","startedAt":${startedAt},"fill":""}}`;
    const result = `${frame.slice(0, -3)}${'o'.repeat(Math.max(0, outputBytes - frame.length))}"}}`;
    const answer = await connection.request('POST', `${base}/job-done/raw-${endpointId}/${id}${query}`, result);
    if (answer.status !== 204) bodyOf(answer);
    noteFinished(id);
    job = next && answer.status === 200 ? answer.body : null;
  }
}

process.once('message', async (orders: WorkerOrders) => {
  const connections = await Promise.all(
    Array.from({ length: orders.slots }, () => openConnection(orders.address, orders.key)),
  );
  report({ type: 'working' });
  await Promise.all(connections.map((connection) => work(connection, orders)));
});
process.on('disconnect', () => process.exit(0));
