/** G12: large bodies do not hold up anybody else. */
import type { Bench, Group, Running } from '../bench.ts';
import { startVariant } from '../contenders.ts';
import { startProber } from '../measuring/prober.ts';
import type { InsideView } from '../programs/variant.ts';
import { bodyOf, openConnection } from '../measuring/rawHttp.ts';
import { atMost } from '../report.ts';
import { interleave } from '../measuring/rounds.ts';
import { checkDelivered } from '../measuring/statistics.ts';
import { OUTPUT_BYTES } from '../throughput.ts';

const BODY_BYTES = 20 * 1024 * 1024;

/** A body just within the limit, of many small objects: the kind that is slowest to parse. */
function largeBody(): Buffer {
  const item = '{"id":12345,"name":"a small object","tags":["one","two"],"score":0.25}';
  const items = Array<string>(Math.floor((BODY_BYTES - 100) / (item.length + 1))).fill(item);
  return Buffer.from(`{"input":{"items":[${items.join(',')}]}}`);
}

async function run({ board, quick, rounds }: Bench, running: Running): Promise<void> {
  const forMs = quick ? 3000 : 6000;
  const engine = running.stopping(await startVariant('engine', {}));
  const worker = await running.worker(engine, { slots: 2, next: false, outputBytes: OUTPUT_BYTES });
  const prober = running.stopping(startProber());
  const { address, key } = engine;
  const orders = { address, key, path: `/v2/${worker.endpointId}/health`, forMs };
  const body = largeBody();

  async function probe() {
    await engine.engine.tell({ type: 'inside' });
    const latency = await prober.probe(orders);
    const { loopDelayMaxMs } = (await engine.engine.tell({ type: 'inside' })) as InsideView;
    return { ...latency, loopDelayMaxMs, bodies: 0 };
  }
  async function probeWhileSending() {
    const connection = await openConnection(address, key);
    const ids: string[] = [];
    let over = false;
    const sending = (async () => {
      while (!over) {
        const answer = bodyOf(await connection.request('POST', `/v2/${worker.endpointId}/runsync`, body));
        const view = JSON.parse(answer) as { id: string; status: string };
        if (view.status !== 'COMPLETED') throw new Error(`Not COMPLETED: ${answer.slice(0, 300)}`);
        ids.push(view.id);
      }
    })();
    const latency = await probe();
    over = true;
    await sending;
    connection.close();
    checkDelivered('large bodies', ids, await worker.finished(ids.length));
    return { ...latency, bodies: ids.length };
  }
  const values = await interleave('G12', rounds, { quiet: probe, busy: probeWhileSending });
  board.add({
    goal: 'G12',
    what: '/health p99 while 20 MB bodies arrive',
    unit: 'ms',
    engine: values.busy.map((one) => one.p99Ms),
    peer: { name: 'quiet', values: values.quiet.map((one) => one.p99Ms) },
    floor: atMost(4),
  });
  board.add({
    goal: 'G12',
    what: 'event loop late by at most, meanwhile',
    unit: 'ms',
    engine: values.busy.map((one) => one.loopDelayMaxMs),
    floor: atMost(25),
  });
  board.add({
    goal: 'G12',
    what: 'event loop late by at most, when nothing arrives',
    unit: 'ms',
    engine: values.quiet.map((one) => one.loopDelayMaxMs),
  });
  board.add({
    goal: 'G12',
    what: '20 MB bodies through /runsync',
    unit: 'jobs/s',
    engine: values.busy.map((one) => (one.bodies * 1000) / forMs),
  });
}

export const isolationGoals: Group = { goals: ['G12'], run };
