/** G19: receivers that do not answer hold up neither who submits nor the other receivers. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bench, Group, Running } from '../bench.ts';
import { nowUs } from '../measuring/clock.ts';
import { ended, started, type EngineContender, type LineWorker } from '../contenders.ts';
import { measureSubmits } from '../latency.ts';
import { bodyOf, eachOver, openConnection, openConnections } from '../measuring/rawHttp.ts';
import { atMost } from '../report.ts';
import { interleave } from '../measuring/rounds.ts';
import { quantile } from '../measuring/statistics.ts';
import { jobBody, OUTPUT_BYTES, WORKER_SLOTS } from '../throughput.ts';

const DEAD = 1000;
const PER_SECOND = 500;
/**
 * Calls begin in its first second and time out in its eleventh, as in no shorter one; and the p99 of 6000 submits is a
 * figure, that of 2000 is chance.
 */
const WINDOW_MS = 12_000;
const LIVE_CALLS = 40;

interface Side {
  engine: EngineContender;
  worker: LineWorker;
}

const withWebhook = (address: string): string => `${jobBody().slice(0, -1)},"webhook":${JSON.stringify(address)}}`;

/** Finishes a job for each receiver, so that all of them are being called. */
async function callAll({ engine, worker }: Side, addresses: readonly string[]): Promise<void> {
  const connections = await openConnections(engine.address, engine.key, 16);
  const finishing = worker.finished(addresses.length);
  await eachOver(connections, addresses, async (connection, address) => {
    bodyOf(await connection.request('POST', `/v2/${worker.endpointId}/run`, withWebhook(address)));
  });
  await finishing;
  for (const connection of connections) connection.close();
}

/**
 * Jobs one after the other whose receiver lives: how long after the result of /runsync it hears of it, p99,
 * milliseconds.
 */
async function liveDelivery({ engine, worker }: Side): Promise<number> {
  const arrivals = new Map<string, number>();
  let hear: () => void = () => undefined;
  const receiver = createServer((request, response) => {
    const at = nowUs();
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      response.end();
      arrivals.set((JSON.parse(text) as { id: string }).id, at);
      hear();
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const body = withWebhook(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/live`);
  const connection = await openConnection(engine.address, engine.key);
  const times: number[] = [];
  for (let call = 0; call < LIVE_CALLS; call++) {
    const answer = bodyOf(await connection.request('POST', `/v2/${worker.endpointId}/runsync`, body));
    const completedAt = nowUs();
    const { id } = JSON.parse(answer) as { id: string };
    while (!arrivals.has(id)) await new Promise<void>((resolve) => (hear = resolve));
    times.push(Math.max(0, (arrivals.get(id) ?? 0) - completedAt));
  }
  connection.close();
  receiver.closeAllConnections();
  receiver.close();
  await worker.finished(LIVE_CALLS);
  return quantile(times, 0.99) / 1000;
}

async function run({ board, quick, rounds }: Bench, running: Running): Promise<void> {
  const forMs = quick ? 2000 : WINDOW_MS;
  const child = started('receivers', {}, [String(DEAD)]);
  running.defer(() => ended(child));
  const [{ addresses }] = (await once(child, 'message')) as [{ addresses: string[] }];

  async function side(): Promise<Side> {
    const engine = await running.engine();
    const worker = await running.worker(engine, { slots: WORKER_SLOTS, next: true, outputBytes: OUTPUT_BYTES });
    return { engine, worker };
  }
  const quiet = await side();
  const troubled = await side();
  const submits = ({ engine, worker }: Side) => measureSubmits(engine, worker, { perSecond: PER_SECOND, forMs });
  const values = await interleave('G19', rounds, {
    quiet: () => submits(quiet),
    troubled: async () => {
      await callAll(troubled, addresses);
      return submits(troubled);
    },
    live: () => liveDelivery(troubled),
  });
  board.add({
    goal: 'G19',
    what: `submit p99 at ${PER_SECOND}/s, ${DEAD} dead receivers`,
    unit: 'ms',
    engine: values.troubled.map((one) => one.p99Ms),
    peer: { name: 'none', values: values.quiet.map((one) => one.p99Ms) },
    floor: atMost(1.2),
  });
  board.add({
    goal: 'G19',
    what: 'delivery to one that lives, after completion, p99',
    unit: 'ms',
    engine: values.live,
    floor: atMost(50),
  });
}

export const webhookGoals: Group = { goals: ['G19'], run };
