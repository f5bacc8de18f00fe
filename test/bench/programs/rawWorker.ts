/**
 * A worker process on bare sockets: `slots` connections that take a job and answer it at once, or stream chunks first
 * when its input asks for that. It costs as little as a worker can, so that the figures are the service's. Finds its
 * service by the worker protocol's variables, as every worker does, and reports the ids it has finished over a socket
 * of the benchmark.
 */
import { nowUs } from '../measuring/clock.ts';
import { bodyOf, openConnection, type RawConnection } from '../measuring/rawHttp.ts';
import { filled, openReports, ordersOf, type StreamOrder, type WorkerOrders } from './workerOrders.ts';

const POSTS_IN_FLIGHT = 16;
/** What our Node worker kit sends together where its handler yields without pause. */
const JOINED_CHARACTERS = 64 * 1024;

const chunkText = (n: number, bytes: number): string =>
  `{"output":${filled({ n }, bytes - '{"output":}'.length, 'c')}}`;

async function streamChunks(service: Service, id: string, order: StreamOrder): Promise<void> {
  const { chunks, chunkBytes, open } = order;
  const path = `${service.base}/job-stream/${service.workerId}/${id}?gpu=none&isStream=false`;
  if (open) {
    const connection = await openConnection(service.address, service.key);
    const request = connection.open('POST', `${path}&ndjson=1`);
    const sendAt = open === 'joined' ? JOINED_CHARACTERS : 1;
    let lines = '';
    for (let n = 0; n < chunks; n++) {
      lines += `${chunkText(n, chunkBytes)}\n`;
      if (lines.length < sendAt) continue;
      await request.write(lines);
      lines = '';
    }
    if (lines !== '') await request.write(lines);
    bodyOf(await request.end());
    connection.close();
    return;
  }
  let n = 0;
  await Promise.all(
    Array.from({ length: POSTS_IN_FLIGHT }, async () => {
      const connection = await openConnection(service.address, service.key);
      while (n < chunks) bodyOf(await connection.request('POST', path, chunkText(n++, chunkBytes)));
      connection.close();
    }),
  );
}

const ID = /"id" *: *"([^"]+)"/;
const STREAM = '"stream":{"chunks"';

interface Service {
  address: string;
  key: string;
  base: string;
  workerId: string;
}

function serviceOf(env: NodeJS.ProcessEnv): Service {
  const { origin } = new URL(env['RUNPOD_WEBHOOK_GET_JOB'] ?? '');
  const base = `/v2/${env['RUNPOD_ENDPOINT_ID']}`;
  return { address: origin, key: env['RUNPOD_AI_API_KEY'] ?? '', base, workerId: env['RUNPOD_POD_ID'] ?? '' };
}

async function work(
  connection: RawConnection,
  service: Service,
  { next, outputBytes, slots }: WorkerOrders,
  finished: (id: string) => void,
): Promise<never> {
  const { base, workerId } = service;
  // With several slots the others may have jobs; with one it has none when it asks.
  const take = `${base}/job-take/${workerId}?gpu=none&job_in_progress=${slots > 1 ? 1 : 0}`;
  const query = `?gpu=none&isStream=false${next ? '&next=1' : ''}`;
  let job: string | null = null;
  for (;;) {
    if (job === null) {
      const answer = await connection.request('GET', take);
      if (answer.status === 204) continue;
      job = bodyOf(answer);
    }
    const startedAt = nowUs();
    const id = ID.exec(job)?.[1] ?? '';
    if (job.includes(STREAM)) {
      const { input } = JSON.parse(job) as { input: { stream: StreamOrder } };
      await streamChunks(service, id, input.stream);
    }
    const result = `{"output":${filled({ job: id, startedAt }, outputBytes, 'o')}}`;
    const answer = await connection.request('POST', `${base}/job-done/${workerId}/${id}${query}`, result);
    if (answer.status !== 204) bodyOf(answer);
    finished(id);
    job = next && answer.status === 200 ? answer.body : null;
  }
}

const orders = ordersOf(process.env);
const reports = openReports(orders.reportPort);
const service = serviceOf(process.env);
const connections = await Promise.all(
  Array.from({ length: orders.slots }, () => openConnection(service.address, service.key)),
);
reports.working();
await Promise.all(connections.map((connection) => work(connection, service, orders, (id) => reports.finished(id))));
