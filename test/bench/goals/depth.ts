/** G8, G9, G13: what a deep queue costs: CPU of each operation, memory, and the start. */
import { setTimeout } from 'node:timers/promises';
import { Running, type Bench, type Group } from '../bench.ts';
import { startEngineContender, type Contender, type EngineContender } from '../contenders.ts';
import { measureOperations, measureTtlSweep, OPERATIONS, type OperationCpu } from '../operations.ts';
import { residentKb, restingKb } from '../measuring/processMemory.ts';
import { atMost } from '../report.ts';
import { interleave } from '../measuring/rounds.ts';
import { submitMany } from '../throughput.ts';
import { makeIdleEndpoint } from '../../support/resources/resources.ts';

const SHALLOW = 1000;
const LOOK_EVERY_MS = 5;

interface Depths {
  /** The lower end of the memory's slope. */
  low: number;
  deep: number;
  /** Redis holds everything in memory: its slope shows in fewer. */
  redis: number;
}

/** Where a queue is filled: a contender and an endpoint of it. */
interface Queue {
  contender: EngineContender;
  endpointId: string;
}

async function emptyQueue(bench: Bench, running: Running): Promise<Queue> {
  const contender = running.stopping(await startEngineContender({ entry: bench.entry }));
  return { contender, endpointId: (await makeIdleEndpoint(contender.engine)).id };
}

async function fill(contender: Contender, endpointId: string, jobs: number): Promise<void> {
  process.stderr.write(`${contender.name}: ${jobs} jobs into the queue\n`);
  const ids = await submitMany(contender, endpointId, jobs);
  if (new Set(ids).size !== jobs) throw new Error(`${jobs} submits made ${new Set(ids).size} jobs`);
}

async function memory(bench: Bench, running: Running, queue: Queue, depths: Depths): Promise<void> {
  const { board } = bench;
  const { contender, endpointId } = queue;
  const [pid = 0] = contender.pids;
  const empty = await restingKb(pid);
  await fill(contender, endpointId, depths.low);
  const atLow = await restingKb(pid);
  await fill(contender, endpointId, depths.deep - depths.low);
  const atDeep = await restingKb(pid);
  const slope = (atDeep - atLow) / (depths.deep - depths.low);
  // Over a short distance the slope is that of the young generation, which grows with the first load.
  const judged = (value: number, aim: number) => (bench.quick ? {} : { floor: atMost(value), aim });
  board.add({
    goal: 'G9',
    what: `memory of a job, ${depths.low} → ${depths.deep} queued`,
    unit: 'KB',
    engine: [slope],
    ...judged(0.6, 0.33),
  });
  board.add({
    goal: 'G9',
    what: 'memory above idle with 100000 queued',
    unit: 'MB',
    engine: [((bench.quick ? atDeep : atLow) - empty) / 1024],
    floor: atMost(150),
    aim: 134,
  });

  const front = await running.front('everysec');
  if (front === null) {
    board.skip('G9 beside Redis', `${bench.noRedis}`);
    return;
  }
  const redisPid = front.pids[1] ?? 0;
  await fill(front, 'depth', depths.low);
  const redisLow = await restingKb(redisPid);
  await fill(front, 'depth', depths.redis - depths.low);
  const redisSlope = ((await restingKb(redisPid)) - redisLow) / (depths.redis - depths.low);
  await front.stop();
  board.add({
    goal: 'G9',
    what: 'memory of a queued job',
    unit: 'KB',
    engine: [slope],
    peer: { name: 'Redis', values: [redisSlope] },
    ...judged(0.6, 0.31),
  });
}

interface Start {
  /**
   * From the fork to the first 200 of /health: from then on whoever calls waits for an answer instead of finding
   * nobody.
   */
  servingMs: number;
  /** To the first answer about a job. */
  answeringMs: number;
}

async function measureStart({ contender: { engine }, endpointId }: Queue): Promise<Start> {
  await engine.stop();
  const startedAt = performance.now();
  const restarting = engine.restart();
  for (;;) {
    const health = await engine.http.get('/health').catch(() => null);
    if (health?.status === 200) break;
    await setTimeout(LOOK_EVERY_MS);
  }
  const servingMs = performance.now() - startedAt;
  const { status } = await engine.http.get(`/v2/${endpointId}/health`);
  if (status !== 200) throw new Error(`/health of an endpoint answers ${status} after the start`);
  const answeringMs = performance.now() - startedAt;
  await restarting;
  return { servingMs, answeringMs };
}

async function starts(bench: Bench, running: Running, deep: Queue, depths: Depths): Promise<void> {
  const { board } = bench;
  const empty = await emptyQueue(bench, running);
  const low = await emptyQueue(bench, running);
  await fill(low.contender, low.endpointId, depths.low);
  const values = await interleave('G13', bench.rounds, {
    empty: () => measureStart(empty),
    low: () => measureStart(low),
    deep: () => measureStart(deep),
  });
  const serving = (starts: readonly Start[]): number[] => starts.map((one) => one.servingMs);
  const answering = (starts: readonly Start[]): number[] => starts.map((one) => one.answeringMs);
  const what = `start with ${depths.low} queued`;
  const peer = { name: 'empty', values: serving(values.empty) };
  board.add({ goal: 'G13', what, unit: 'ms', engine: serving(values.low), peer, floor: atMost(4), aim: 2.4 });
  board.add({ goal: 'G13', what, unit: 'ms', engine: serving(values.low), floor: atMost(500) });
  const deepWhat = `start with ${depths.deep} queued`;
  board.add({ goal: 'G13', what: deepWhat, unit: 'ms', engine: serving(values.deep), floor: atMost(2000) });
  for (const { jobs, starts } of [
    { jobs: depths.low, starts: values.low },
    { jobs: depths.deep, starts: values.deep },
  ]) {
    board.add({ goal: 'G13', what: `first answer about a job, ${jobs} queued`, unit: 'ms', engine: answering(starts) });
  }
  await empty.contender.stop();
  await low.contender.stop();
}

async function operations(bench: Bench, running: Running, deep: Queue, depths: Depths): Promise<void> {
  const { board, quick, rounds } = bench;
  const count = quick ? 2000 : 6000;
  const shallow = await emptyQueue(bench, running);
  await fill(shallow.contender, shallow.endpointId, SHALLOW);
  const measure =
    ({ contender, endpointId }: Queue) =>
    () =>
      measureOperations(contender, endpointId, count);
  const values = await interleave('G8', rounds, { deep: measure(deep), shallow: measure(shallow) });
  for (const operation of OPERATIONS) {
    const cpu = (all: OperationCpu[]): number[] => all.map((one) => one[operation]);
    board.add({
      goal: 'G8',
      what: `CPU of ${operation} with ${depths.deep} queued`,
      unit: 'µs',
      engine: cpu(values.deep),
      peer: { name: `${SHALLOW} queued`, values: cpu(values.shallow) },
      floor: atMost(1.3),
      aim: 1,
    });
  }
  const sweeps = await interleave('G8, ttl', 1, {
    deep: () => measureTtlSweep(deep.contender, deep.endpointId, count),
    shallow: () => measureTtlSweep(shallow.contender, shallow.endpointId, count),
  });
  board.add({
    goal: 'G8',
    what: `CPU of a job's removal at its ttl`,
    unit: 'µs',
    engine: sweeps.deep,
    peer: { name: `${SHALLOW} queued`, values: sweeps.shallow },
    floor: atMost(1.3),
    aim: 1,
  });
}

async function run(bench: Bench, running: Running): Promise<void> {
  const depths = bench.quick
    ? { low: 20_000, deep: 100_000, redis: 100_000 }
    : { low: 100_000, deep: 1_000_000, redis: 300_000 };
  const deep = await emptyQueue(bench, running);
  if (Number.isNaN(residentKb(process.pid)) || !bench.wants('G9')) {
    if (bench.wants('G9')) bench.board.skip('G9', 'this system has no /proc to read memory from.');
    await fill(deep.contender, deep.endpointId, depths.deep);
  } else await memory(bench, running, deep, depths);
  if (bench.wants('G13')) await starts(bench, running, deep, depths);
  if (bench.wants('G8')) await operations(bench, running, deep, depths);
}

export const depthGoals: Group = { goals: ['G8', 'G9', 'G13'], run };
