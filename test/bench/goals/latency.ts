/**
 * G4–G6: how long one call takes: /runsync alone and under arrivals that wait for nobody, and reads of finished jobs.
 */
import type { Bench, Group, Running } from '../bench.ts';
import type { Contender, LineWorker } from '../contenders.ts';
import { apart } from '../measuring/cores.ts';
import { measureDispatch, measureHop, measureOpenLoop, measureReads, type Latency } from '../latency.ts';
import { atLeast, atMost } from '../report.ts';
import { interleave } from '../measuring/rounds.ts';
import { makeEndpoint } from '../../support/resources/resources.ts';
import { oneWorker, startBareContender } from '../contenders.ts';
import { OUTPUT_BYTES, submitMany, WORKER_SLOTS } from '../throughput.ts';

const p50 = (latencies: Latency[]): number[] => latencies.map((one) => one.p50Ms);
const p99 = (latencies: Latency[]): number[] => latencies.map((one) => one.p99Ms);

const HANDLER = 'export default () => ({ startedAt: Number(process.hrtime.bigint() / 1000n) });\n';

async function oneInFlight(bench: Bench, running: Running): Promise<void> {
  const { board } = bench;
  const calls = bench.quick ? 300 : 1500;
  const slots = { slots: 1, next: false, outputBytes: OUTPUT_BYTES };
  const bare = running.stopping(await startBareContender());
  const engine = await running.engine();
  const front = await running.front('always');
  const worker = await running.worker(engine, slots);
  const { endpoint } = await makeEndpoint(engine.engine, { 'handler.mjs': HANDLER }, { endpoint: oneWorker });
  const frontWorker = front && (await running.worker(front, slots));
  const values = await interleave('G4', bench.rounds, {
    hop: () => apart(bare.pids, () => measureHop(bare, calls)),
    engine: () => apart(engine.pids, () => measureDispatch(engine, worker.endpointId, calls)),
    harness: () => apart(engine.pids, () => measureDispatch(engine, endpoint.id, calls)),
    front: () =>
      front && frontWorker
        ? apart(front.pids, () => measureDispatch(front, frontWorker.endpointId, calls))
        : Promise.resolve(null),
  });
  const engineTrips = values.engine.map((one) => one.roundTrip);
  const harnessTrips = values.harness.map((one) => one.roundTrip);
  const hop50 = { unit: 'ms', peer: { name: 'bare hop', values: p50(values.hop) } };
  const hop99 = { unit: 'ms', peer: { name: 'bare hop', values: p99(values.hop) } };
  board.add({ goal: 'G4', what: 'runsync p50', engine: p50(engineTrips), ...hop50, floor: atMost(8), aim: 5.8 });
  board.add({ goal: 'G4', what: 'runsync p99', engine: p99(engineTrips), ...hop99, floor: atMost(10), aim: 5 });
  board.add({ goal: 'G4', what: 'runsync p50, a handler in Node', engine: p50(harnessTrips), ...hop50 });
  board.add({
    goal: 'G4',
    what: "submit to the handler's first line, p50",
    engine: p50(values.engine.map((one) => one.toHandler)),
    ...hop50,
  });
  const fronts = values.front.filter((one) => one !== null).map((one) => one.roundTrip);
  if (fronts.length === 0) {
    board.skip('G4 beside BullMQ', `${bench.noRedis}`);
    return;
  }
  const always = { unit: 'ms', peer: { name: 'AOF always', values: p50(fronts) } };
  board.add({ goal: 'G4', what: 'runsync p50', engine: p50(engineTrips), ...always, floor: atMost(0.5), aim: 0.3 });
}

async function openLoop(bench: Bench, running: Running): Promise<void> {
  const { board, quick } = bench;
  const slots = { slots: WORKER_SLOTS, outputBytes: OUTPUT_BYTES };
  const engine = await running.engine();
  const worker = await running.worker(engine, { ...slots, next: true });
  const front = await running.front('always');
  const frontWorker = front && (await running.worker(front, { ...slots, next: false }));
  if (!front || !frontWorker) board.skip('G5', `${bench.noRedis}`);
  for (const { perSecond, aim } of [
    { perSecond: 1000, aim: 0.2 },
    { perSecond: 4000, aim: 0.15 },
  ]) {
    const forMs = quick ? 1500 : 4000;
    const measure = (contender: Contender, line: LineWorker) => () =>
      measureOpenLoop(contender, line, { perSecond, forMs });
    const engineMeasure = measure(engine, worker);
    const label = `G5 at ${perSecond}/s`;
    if (!front || !frontWorker) {
      const values = await interleave(label, bench.rounds, { engine: engineMeasure });
      board.add({ goal: 'G5', what: `runsync p99 at ${perSecond}/s`, unit: 'ms', engine: p99(values.engine) });
      continue;
    }
    const rounds = await interleave(label, bench.rounds, {
      engine: engineMeasure,
      front: measure(front, frontWorker),
    });
    const beside = (values: number[]) => ({ unit: 'ms', peer: { name: 'AOF always', values } });
    const what = (share: string): string => `runsync ${share} at ${perSecond}/s`;
    board.add({ goal: 'G5', what: what('p50'), engine: p50(rounds.engine), ...beside(p50(rounds.front)) });
    board.add({
      goal: 'G5',
      what: what('p99'),
      engine: p99(rounds.engine),
      ...beside(p99(rounds.front)),
      floor: atMost(0.5),
      aim,
    });
  }
}

async function reads(bench: Bench, running: Running): Promise<void> {
  const { board, quick } = bench;
  const jobs = quick ? 2000 : 5000;
  const count = quick ? 10_000 : 30_000;
  const slots = { slots: WORKER_SLOTS, next: false, outputBytes: OUTPUT_BYTES };
  const bare = running.stopping(await startBareContender());
  const engine = await running.engine();
  const front = await running.front('always');

  async function finishedJobs(contender: Contender): Promise<string[]> {
    const worker = await running.worker(contender, slots);
    const ids = await submitMany(contender, worker.endpointId, jobs);
    await worker.finished(jobs);
    return ids.map((id) => `/v2/${worker.endpointId}/status/${id}`);
  }
  const enginePaths = await finishedJobs(engine);
  const frontPaths = front && (await finishedJobs(front));
  const values = await interleave('G6', bench.rounds, {
    hello: () => measureReads(bare, ['/hello'], count),
    engine: () => measureReads(engine, enginePaths, count),
    front: () => (front && frontPaths ? measureReads(front, frontPaths, count) : Promise.resolve(null)),
  });
  const what = 'status reads, 64 connections';
  const engineRate = { unit: 'reads/s', engine: values.engine.map((one) => one.perSecond) };
  const hello = { name: 'bare hello', values: values.hello.map((one) => one.perSecond) };
  board.add({ goal: 'G6', what, ...engineRate, peer: hello, floor: atLeast(0.6), aim: 0.85 });
  board.add({
    goal: 'G6',
    what: 'CPU of a read, service alone',
    unit: 'µs',
    engine: values.engine.map((one) => one.cpuUs),
    peer: { name: 'bare hello', values: values.hello.map((one) => one.cpuUs) },
  });
  const fronts = values.front.filter((one) => one !== null).map((one) => one.perSecond);
  if (fronts.length === 0) board.skip('G6 beside BullMQ', `${bench.noRedis}`);
  else
    board.add({
      goal: 'G6',
      what,
      ...engineRate,
      peer: { name: 'AOF always', values: fronts },
      floor: atLeast(3),
      aim: 4,
    });
}

export const latencyGoals: readonly Group[] = [
  { goals: ['G4'], run: oneInFlight },
  { goals: ['G5'], run: openLoop },
  { goals: ['G6'], run: reads },
];
