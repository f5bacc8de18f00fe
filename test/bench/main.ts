/** The benchmark: the engine beside a bare node:http server doing the same hops, round about, in one run. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  startBareContender,
  startEngineContender,
  startRawWorker,
  type Contender,
  type RawWorker,
} from './contenders.ts';
import { measureDispatch, measureHop, measureOpenLoop, type Latency } from './latency.ts';
import { lineOf, tableOf, writeResults, type Figure } from './report.ts';
import { measureStreaming } from './streaming.ts';
import { measureThroughput, OUTPUT_BYTES, WORKER_SLOTS } from './throughput.ts';

const repository = resolve(import.meta.dirname, '../..');

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '4' },
    /** The engine to measure; its bundle unless told otherwise. */
    entry: { type: 'string', default: join(repository, 'out/main/engine.js') },
    /** The raw workers are programs of somebody else instead of processes that the engine starts. */
    outside: { type: 'boolean', default: false },
    only: { type: 'string', default: 'jobs,latency,open,stream' },
  },
});
const size = options.quick
  ? { jobs: 2000, calls: 300, openMs: 1000, chunks: 3000, openChunks: 10_000 }
  : { jobs: 10_000, calls: 1500, openMs: 4000, chunks: 10_000, openChunks: 50_000 };
const rounds = Number(options.rounds);
const only = new Set(options.only.split(','));
const OPEN_LOOP_RATES = options.quick ? [500] : [200, 1000];

const figures = new Map<string, Figure>();
function note(name: string, unit: string, contender: Contender['name'], value: number): void {
  let figure = figures.get(name);
  if (!figure) figures.set(name, (figure = { name, unit, engine: [], bare: [] }));
  figure[contender].push(value);
}
function noteLatency(name: string, contender: Contender['name'], latency: Latency): void {
  note(`${name}, p50`, 'ms', contender, latency.p50Ms);
  note(`${name}, p99`, 'ms', contender, latency.p99Ms);
}

const engine = await startEngineContender(options.entry, options.outside);
const bare = await startBareContender();
const contenders = [engine, bare];
const workers: RawWorker[] = [];

/** One worker process for each contender. */
async function workersFor(how: { slots: number; next: boolean }): Promise<Map<Contender, RawWorker>> {
  const made = new Map<Contender, RawWorker>();
  for (const contender of contenders) {
    const worker = await startRawWorker(contender, { ...how, outputBytes: OUTPUT_BYTES });
    workers.push(worker);
    made.set(contender, worker);
  }
  return made;
}

/** Runs `measure` for each contender in turn, again and again; a round before the first is not noted, so that both are warm. */
async function interleave(
  parties: Map<Contender, RawWorker>,
  measure: (contender: Contender, worker: RawWorker, round: number) => Promise<void>,
): Promise<void> {
  for (let round = 0; round <= rounds; round++) {
    process.stderr.write(round === 0 ? ' warming up' : ` ${round}`);
    for (const [contender, worker] of parties) await measure(contender, worker, round);
  }
  process.stderr.write('\n');
}

async function benchJobs(): Promise<void> {
  for (const { next, name } of [
    { next: false, name: 'jobs, take + done' },
    { next: true, name: 'jobs, done + next in one' },
  ]) {
    process.stderr.write(`${name}:`);
    await interleave(await workersFor({ slots: WORKER_SLOTS, next }), async (contender, worker, round) => {
      const seen = await measureThroughput(contender, worker, size.jobs);
      if (round === 0) return;
      note(name, 'jobs/s', contender.name, seen.jobsPerSecond);
      note(`${name}, CPU`, 'µs/job', contender.name, seen.cpuUsPerJob);
      note(`${name}, CPU of the server`, 'µs/job', contender.name, seen.serverCpuUsPerJob);
    });
  }
}

async function benchLatency(): Promise<void> {
  process.stderr.write('latency, one in flight:');
  const harness = await engine.harnessLine();
  await interleave(await workersFor({ slots: 1, next: true }), async (contender, worker, round) => {
    const seen = await measureDispatch(contender, worker.endpointId, size.calls);
    const hop = contender === bare ? await measureHop(bare, size.calls) : null;
    const own = contender === engine ? await measureDispatch(engine, harness, size.calls) : null;
    if (round === 0) return;
    noteLatency('submit to handler, raw worker', contender.name, seen.toHandler);
    noteLatency('submit to handler, Node harness (bare: raw worker)', contender.name, (own ?? seen).toHandler);
    noteLatency('runsync, raw worker', contender.name, seen.roundTrip);
    noteLatency('runsync, raw worker (bare: one POST hop)', contender.name, hop ?? seen.roundTrip);
    noteLatency('runsync, Node harness (bare: one POST hop)', contender.name, hop ?? (own ?? seen).roundTrip);
  });
}

async function benchOpenLoop(): Promise<void> {
  const parties = await workersFor({ slots: WORKER_SLOTS, next: true });
  for (const perSecond of OPEN_LOOP_RATES) {
    const name = `runsync, ${perSecond} arrivals/s`;
    process.stderr.write(`${name}:`);
    await interleave(parties, async (contender, worker, round) => {
      const seen = await measureOpenLoop(contender, worker.endpointId, { perSecond, forMs: size.openMs });
      if (round > 0) noteLatency(name, contender.name, seen);
    });
  }
}

async function benchStreaming(): Promise<void> {
  const parties = await workersFor({ slots: 1, next: true });
  for (const { open, name, chunks } of [
    { open: false, name: 'chunks, a POST each, 16 in flight', chunks: size.chunks },
    { open: true, name: 'chunks, one open POST', chunks: size.openChunks },
  ]) {
    process.stderr.write(`${name}:`);
    await interleave(parties, async (contender, worker, round) => {
      const seen = await measureStreaming(contender, worker, { chunks, open });
      if (round === 0) return;
      note(name, 'chunks/s', contender.name, seen.chunksPerSecond);
      note(`${name}, CPU of the server`, 'µs/chunk', contender.name, seen.serverCpuUsPerChunk);
    });
  }
}

try {
  if (only.has('jobs')) await benchJobs();
  if (only.has('latency')) await benchLatency();
  if (only.has('open')) await benchOpenLoop();
  if (only.has('stream')) await benchStreaming();
} finally {
  for (const worker of workers) await worker.stop();
  for (const contender of contenders) await contender.stop();
}

const lines = [...figures.values()].map(lineOf);
process.stdout.write(`\n${tableOf(lines)}\n\n`);
const file = await writeResults(join(repository, 'bench-results'), lines, {
  rounds,
  quick: options.quick,
  outside: options.outside,
  size,
});
process.stdout.write(`Figures of every round: ${file}\n`);
