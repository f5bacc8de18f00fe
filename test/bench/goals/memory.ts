/** MEM: what the engine has in memory, at most, while it is sent or asked for more than it may hold. */
import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { limits } from '#contract/core/limits.ts';
import { standsStill } from '../../support/core/until.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import { jobsOf, type Jobs } from '../../support/jobs/jobs.ts';
import { makeBalanced, openAnswer } from '../../support/loadBalancing/endpoint.ts';
import { beginSocket } from '../../support/loadBalancing/webSocket.ts';
import { makeEndpoint, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';
import { Running, type Bench, type Group } from '../bench.ts';
import { peakMb, residentKb } from '../measuring/processMemory.ts';
import { atMost } from '../report.ts';

const MB = 1024 * 1024;
const PART = Buffer.alloc(64 * 1024, 'x');

interface Load {
  readonly what: string;
  /** What counts: how much the process grew, or all that it had. */
  readonly counts: 'grewMb' | 'mostMb';
  readonly mostMb: number;
  /** Makes what it needs, and answers the work during which memory is watched. */
  prepare(engine: TestEngine): Promise<() => Promise<void>>;
}

function must(status: number, wanted: number, what: string): void {
  if (status !== wanted) throw new Error(`${what} answered ${status} instead of ${wanted}`);
}

const handler = `
  export default async function* ({ input: { count, bytes } }) {
    for (let n = 0; n < count; n++) yield n + ':' + 'x'.repeat(bytes);
  }`;
async function producer(engine: TestEngine): Promise<Jobs> {
  const { endpoint } = await makeEndpoint(engine, { 'handler.mjs': handler }, { endpoint: { workersMax: 1 } });
  return jobsOf(engine, endpoint.id);
}

/** How many chunks came until the job had ended and none was left. */
async function readAll(engine: TestEngine, jobs: Jobs, id: string): Promise<number> {
  for (let chunks = 0; ;) {
    const { json } = await engine.http.get(`${jobs.path}/stream/${id}?envelope=true`);
    const { status, stream } = json as { status: string; stream: unknown[] };
    chunks += stream.length;
    if (status === 'COMPLETED' && stream.length === 0) return chunks;
  }
}
const READERS = 100;
const CHUNKS = 50_000;

/**
 * Writes as fast as it is taken until the other side answers, closes or has taken `mostBytes`; the beginning of the
 * answer.
 */
async function sendUntilAnswered(
  socket: Socket,
  head: string,
  part: Buffer | string,
  mostBytes: number,
): Promise<string> {
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => (answer += text));
  socket.on('error', () => undefined).write(head);
  const over = new AbortController();
  const ending = once(socket, 'close', over).catch(() => undefined);
  for (let sent = 0; sent < mostBytes && answer === '' && !socket.destroyed; sent += part.length) {
    if (!socket.write(part)) await Promise.race([once(socket, 'drain', over).catch(() => undefined), ending]);
  }
  while (answer === '' && !socket.destroyed) await new Promise((resolve) => setTimeout(resolve, 10));
  over.abort();
  return answer;
}

const loads: readonly Load[] = [
  {
    what: 'a stream of 60 MB that nobody reads',
    counts: 'grewMb',
    mostMb: 200,
    async prepare(engine) {
      const jobs = await producer(engine);
      return async () => void (await jobs.finished(await jobs.run({ count: 600, bytes: 100_000 })));
    },
  },
  {
    what: `a stream with ${READERS} readers`,
    counts: 'grewMb',
    mostMb: 200,
    async prepare(engine) {
      const jobs = await producer(engine);
      return async () => {
        const id = await jobs.run({ count: 5000, bytes: 50 });
        const read = await Promise.all(Array.from({ length: READERS }, () => readAll(engine, jobs, id)));
        const chunks = read.reduce((sum, count) => sum + count, 0);
        if (chunks !== 5000) throw new Error(`${chunks} of 5000 chunks were read`);
      };
    },
  },
  {
    what: '40 MB of chunks that a worker sends at once',
    counts: 'grewMb',
    mostMb: 150,
    async prepare(engine) {
      const { id: endpointId } = await makeIdleEndpoint(engine);
      const worker = createOutsideWorker(engine, endpointId);
      const id = await jobsOf(engine, endpointId).run({});
      await worker.take();
      const line = `{"output":"${'x'.repeat(50_000)}"}\n`;
      return async () => {
        const path = `/v2/${endpointId}/job-stream/${worker.id}/${id}?gpu=none&ndjson=1`;
        const sending = request(engine.address + path, {
          method: 'POST',
          agent: false,
          headers: { authorization: engine.key },
        });
        for (let n = 0; n < 800; n++) sending.write(line);
        sending.end();
        const [answer] = (await once(sending, 'response')) as [IncomingMessage];
        answer.resume();
        must(answer.statusCode ?? 0, 200, 'The worker’s chunks');
      };
    },
  },
  {
    what: `${CHUNKS} small chunks, written and read`,
    counts: 'grewMb',
    mostMb: 200,
    async prepare(engine) {
      const jobs = await producer(engine);
      return async () => {
        const chunks = await readAll(engine, jobs, await jobs.run({ count: CHUNKS, bytes: 10 }));
        if (chunks !== CHUNKS) throw new Error(`${chunks} of ${CHUNKS} chunks were read`);
      };
    },
  },
  {
    what: '8 bodies without an end',
    counts: 'grewMb',
    mostMb: 250,
    async prepare(engine) {
      const { id } = await makeIdleEndpoint(engine);
      const head =
        `POST /v2/${id}/run HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${engine.key}\r\n` +
        'transfer-encoding: chunked\r\n\r\n1a\r\n{"input":{"a":"aaaaaaaaaaa\r\n';
      const part = `10000\r\n${'x'.repeat(65_536)}\r\n`;
      return async () => {
        const answers = Array.from({ length: 8 }, async () => {
          const socket = connect({ port: engine.port, host: '127.0.0.1' });
          const answer = await sendUntilAnswered(socket, head, part, 64 * MB);
          socket.destroy();
          must(Number(answer.split(' ')[1]), 413, 'A body without an end');
        });
        await Promise.all(answers);
      };
    },
  },
  {
    // 128 MB of bodies, the one that is being checked, and what the garbage collector has not seen yet.
    what: 'in all, for 40 bodies of 10 MB at once',
    counts: 'mostMb',
    mostMb: 480,
    async prepare(engine) {
      const { id } = await makeIdleEndpoint(engine);
      const body = Buffer.from(`{"input":{"s":"${'x'.repeat(limits.runBodyBytes - 20)}"}}`);
      return async () => {
        const answers = await Promise.all(Array.from({ length: 40 }, () => engine.http.post(`/v2/${id}/run`, body)));
        for (const { status } of answers) must(status, 200, 'A body of 10 MB');
      };
    },
  },
  {
    what: '360 MB each way through /lb that nobody reads',
    counts: 'grewMb',
    mostMb: 100,
    async prepare(engine) {
      const path = `/lb/${(await makeBalanced(engine, { endpoint: { workersMin: 1 } })).id}`;
      const bytes = limits.balancing.bodyBytes;
      await engine.http.get(`${path}/x`);
      return async () => {
        const many = Array.from({ length: 12 });
        const answers = await Promise.all(many.map(() => openAnswer(engine, `${path}/bytes?bytes=${bytes}`)));
        let takenBytes = 0;
        const uploads = many.map(() => {
          const socket = connect({ port: engine.port, host: '127.0.0.1' });
          socket.on('error', () => undefined);
          const send = (error?: Error | null): void => {
            if (error) return;
            takenBytes += PART.length;
            socket.write(PART, send);
          };
          const head = `POST ${path}/never HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${engine.key}\r\n`;
          socket.write(`${head}Content-Length: ${bytes}\r\n\r\n`, send);
          return socket;
        });
        await standsStill('what is taken', () => takenBytes);
        for (const open of [...answers, ...uploads]) open.destroy();
      };
    },
  },
  {
    what: '200 MB on a WebSocket that is read late',
    counts: 'grewMb',
    mostMb: 100,
    async prepare(engine) {
      const { id } = await makeBalanced(engine, { endpoint: { workersMin: 1 } });
      const bytes = 200 * MB;
      await engine.http.get(`/lb/${id}/x`);
      return async () => {
        const socket = beginSocket(engine, id, `/flood?bytes=${bytes}`);
        await once(socket, 'upgrade');
        socket.pause();
        for (let n = 0; n < 20; n++) await engine.http.get(`/lb/${id}/x`);
        let readBytes = 0;
        const all = new Promise<void>((resolve) =>
          socket.on('message', (data: Buffer) => {
            readBytes += data.length;
            if (readBytes === bytes) resolve();
          }),
        );
        socket.resume();
        await all;
        socket.terminate();
      };
    },
  },
];

async function run(bench: Bench): Promise<void> {
  if (Number.isNaN(residentKb(process.pid))) {
    bench.board.skip('MEM', 'this system has no /proc to read memory from.');
    return;
  }
  for (const { what, counts, mostMb, prepare } of loads) {
    process.stderr.write(`MEM: ${what}\n`);
    // An engine of its own: memory that another load has left would hide what this one takes.
    await using running = new Running(bench);
    const { engine, pids } = await running.engine();
    const peak = await peakMb(pids[0] ?? 0, await prepare(engine));
    bench.board.add({ goal: 'MEM', what, unit: 'MB', engine: [peak[counts]], floor: atMost(mostMb) });
  }
}

export const memoryGoals: Group = { goals: ['MEM'], run };
