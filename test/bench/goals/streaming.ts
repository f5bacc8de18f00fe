/** G11: chunks of 1 KB from a worker through the service to a reader. */
import type { Bench, Group, Running } from '../bench.ts';
import { startBareContender } from '../contenders.ts';
import { atLeast } from '../report.ts';
import { interleave } from '../measuring/rounds.ts';
import { measureDelivery, measureRelay, type Streaming } from '../streaming.ts';

async function run({ board, quick, rounds }: Bench, running: Running): Promise<void> {
  const posted = { chunks: quick ? 3000 : 10_000, open: false } as const;
  const opened = { chunks: quick ? 10_000 : 50_000, open: 'joined' } as const;
  const byLine = { ...opened, open: 'lines' } as const;
  const engine = await running.engine();
  const bare = running.stopping(await startBareContender());
  const how = { slots: 1, next: true, outputBytes: 320 };
  const engineWorker = await running.worker(engine, how);
  const bareWorker = await running.worker(bare, how);

  const values = await interleave('G11', rounds, {
    engine: () => measureRelay(engine, engineWorker, posted),
    bare: () => measureRelay(bare, bareWorker, posted),
    engineOpen: () => measureRelay(engine, engineWorker, opened),
    bareOpen: () => measureRelay(bare, bareWorker, opened),
    engineLines: () => measureRelay(engine, engineWorker, byLine),
    bareLines: () => measureRelay(bare, bareWorker, byLine),
    delivery: () => measureDelivery(engine, engineWorker, opened.chunks),
    bareDelivery: () => measureDelivery(bare, bareWorker, opened.chunks),
  });
  const rate = (name: keyof typeof values): number[] => values[name].map((one: Streaming) => one.chunksPerSecond);
  const cpu = (name: keyof typeof values): number[] => values[name].map((one: Streaming) => one.serverCpuUsPerChunk);
  const perSecond = (name: keyof typeof values) => ({ unit: 'chunks/s', engine: rate(name) });
  const bareRate = (name: keyof typeof values) => ({ peer: { name: 'bare relay', values: rate(name) } });
  const each = 'a POST for each chunk, 16 in flight, on disk';
  board.add({ goal: 'G11', what: each, ...perSecond('engine'), ...bareRate('bare'), floor: atLeast(0.6) });
  board.add({
    goal: 'G11',
    what: 'one open POST, beside a POST for each',
    ...perSecond('engineOpen'),
    peer: { name: 'engine', values: rate('engine') },
    floor: atLeast(3),
  });
  board.add({ goal: 'G11', what: 'one open POST', ...perSecond('engineOpen'), ...bareRate('bareOpen') });
  const lines = 'one open POST, each line sent by itself';
  board.add({ goal: 'G11', what: lines, ...perSecond('engineLines'), ...bareRate('bareLines') });
  board.add({
    goal: 'G11',
    what: 'delivery to a reader',
    ...perSecond('delivery'),
    peer: { name: 'bare write', values: rate('bareDelivery') },
    floor: atLeast(0.4),
  });
  board.add({
    goal: 'G11',
    what: 'CPU of a chunk, a POST for each, service alone',
    unit: 'µs',
    engine: cpu('engine'),
    peer: { name: 'bare relay', values: cpu('bare') },
  });
}

export const streamingGoals: Group = { goals: ['G11'], run };
