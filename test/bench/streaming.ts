/** Chunks of 1 KB on one stream: worker → service → one reader, who polls as the public clients do. */
import type { Contender, LineWorker } from './contenders.ts';
import { measureCpu } from './measuring/processCpu.ts';
import { bodyOf, openConnection, type RawConnection } from './measuring/rawHttp.ts';
import type { StreamOrder } from './programs/workerOrders.ts';
import { checkDelivered } from './measuring/statistics.ts';

const CHUNK_BYTES = 1024;

const numbers = (count: number): string[] => Array.from({ length: count }, (_, n) => String(n));

export interface Streaming {
  chunksPerSecond: number;
  serverCpuUsPerChunk: number;
}

async function submitStream(connection: RawConnection, path: string, stream: StreamOrder): Promise<string> {
  const answer = bodyOf(await connection.request('POST', `${path}/run`, JSON.stringify({ input: { stream } })));
  return (JSON.parse(answer) as { id: string }).id;
}

/** How fast chunks come through while the worker yields them. */
export async function measureRelay(
  contender: Contender,
  worker: LineWorker,
  { chunks, open }: Pick<StreamOrder, 'chunks' | 'open'>,
): Promise<Streaming> {
  const connection = await openConnection(contender.address, contender.key);
  const path = `/v2/${worker.endpointId}`;
  const stream: StreamOrder = { chunks, chunkBytes: CHUNK_BYTES, open };
  const read: string[] = [];
  const startedAt = performance.now();
  const { cpuUs } = await measureCpu(contender.pids, async () => {
    const id = await submitStream(connection, path, stream);
    for (;;) {
      const answer = bodyOf(await connection.request('GET', `${path}/stream/${id}?envelope=true`));
      const view = JSON.parse(answer) as { status: string; stream: { output: { n: number } }[] };
      for (const { output } of view.stream) read.push(String(output.n));
      if (view.status === 'COMPLETED' && view.stream.length === 0) break;
    }
  });
  const tookMs = performance.now() - startedAt;
  await worker.finished(1);
  connection.close();
  checkDelivered(`${contender.name} chunks`, numbers(chunks), read);
  if (open !== false && read.some((n, index) => n !== String(index))) throw new Error('Chunks out of order');
  return { chunksPerSecond: (chunks * 1000) / tookMs, serverCpuUsPerChunk: cpuUs / chunks };
}

/** How fast a reader gets the chunks of a job that has ended. The bare server writes as many of its own, one by one. */
export async function measureDelivery(contender: Contender, worker: LineWorker, chunks: number): Promise<Streaming> {
  const connection = await openConnection(contender.address, contender.key);
  const path = `/v2/${worker.endpointId}`;
  let id = 'none';
  if (contender.name !== 'bare') {
    id = await submitStream(connection, path, { chunks, chunkBytes: CHUNK_BYTES, open: 'joined' });
    await worker.finished(1);
  }
  const answers: string[] = [];
  const startedAt = performance.now();
  const { cpuUs } = await measureCpu(contender.pids, async () => {
    if (contender.name === 'bare') {
      bodyOf(await connection.request('GET', `${path}/written/${chunks}`));
      return;
    }
    for (;;) {
      const answer = bodyOf(await connection.request('GET', `${path}/stream/${id}?envelope=true`));
      if (answer.endsWith('"stream":[]}')) break;
      answers.push(answer);
    }
  });
  const tookMs = performance.now() - startedAt;
  connection.close();
  if (contender.name !== 'bare') {
    const read = answers.flatMap((answer) =>
      (JSON.parse(answer) as { stream: { output: { n: number } }[] }).stream.map(({ output }) => String(output.n)),
    );
    checkDelivered(`${contender.name} chunks`, numbers(chunks), read);
  }
  return { chunksPerSecond: (chunks * 1000) / tookMs, serverCpuUsPerChunk: cpuUs / chunks };
}
