/** Chunks of 1 KB on one stream: worker → service → one reader, who polls as the public clients do. */
import type { Contender, RawWorker } from './contenders.ts';
import { measureCpu } from './processCpu.ts';
import { bodyOf, openConnection } from './rawHttp.ts';
import type { StreamOrder } from './rawWorker.ts';
import { checkDelivered } from './statistics.ts';

const CHUNK_BYTES = 1024;

export interface Streaming {
  chunksPerSecond: number;
  serverCpuUsPerChunk: number;
}

export async function measureStreaming(
  contender: Contender,
  worker: RawWorker,
  { chunks, open }: { chunks: number; open: boolean },
): Promise<Streaming> {
  const connection = await openConnection(contender.address, contender.key);
  const path = `/v2/${worker.endpointId}`;
  const stream: StreamOrder = { chunks, chunkBytes: CHUNK_BYTES, open };
  const read: string[] = [];
  const startedAt = performance.now();
  const { cpuUs } = await measureCpu([contender.pid], async () => {
    const submitted = bodyOf(await connection.request('POST', `${path}/run`, JSON.stringify({ input: { stream } })));
    const { id } = JSON.parse(submitted) as { id: string };
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
  const wanted = Array.from({ length: chunks }, (_, n) => String(n));
  checkDelivered(`${contender.name} chunks`, wanted, read);
  if (open && read.some((n, index) => n !== String(index))) throw new Error('Chunks out of order');
  return { chunksPerSecond: (chunks * 1000) / tookMs, serverCpuUsPerChunk: cpuUs / chunks };
}
