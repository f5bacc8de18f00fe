/** G1–G3: durable jobs from submit to COMPLETED through HTTP, beside the peer on BullMQ with either durability. */
import type { Bench, Group, Running } from '../bench.ts';
import { atLeast, atMost } from '../report.ts';
import { interleave } from '../rounds.ts';
import { measureThroughput, OUTPUT_BYTES, WORKER_SLOTS, type Throughput } from '../throughput.ts';

async function run(bench: Bench, running: Running): Promise<void> {
  const { board, quick, rounds } = bench;
  const jobs = quick ? 3000 : 10_000;
  const line = { slots: WORKER_SLOTS, outputBytes: OUTPUT_BYTES };
  const engine = await running.engine();
  const takes = await running.worker(engine, { ...line, next: false });
  const takesNext = await running.worker(engine, { ...line, next: true });
  const always = await running.front('always');
  const everysec = await running.front('everysec');
  const engines = {
    engine: () => measureThroughput(engine, takes, jobs),
    next: () => measureThroughput(engine, takesNext, jobs),
  };

  if (always === null || everysec === null) {
    for (const goal of ['G1', 'G2', 'G3']) board.skip(goal, `${bench.noRedis}`);
    const found = await interleave('G1', rounds, engines);
    board.add({ goal: 'G1', what: 'jobs, FULL', unit: 'jobs/s', engine: perSecond(found.engine) });
    board.add({ goal: 'G3', what: 'CPU of a job', unit: 'µs', engine: cpu(found.engine) });
    return;
  }

  const alwaysWorker = await running.worker(always, { ...line, next: false });
  const everysecWorker = await running.worker(everysec, { ...line, next: false });
  const found = await interleave('G1 G2 G3', rounds, {
    ...engines,
    always: () => measureThroughput(always, alwaysWorker, jobs),
    everysec: () => measureThroughput(everysec, everysecWorker, jobs),
  });

  const rate = { unit: 'jobs/s', engine: perSecond(found.engine) };
  const rateNext = { unit: 'jobs/s', engine: perSecond(found.next) };
  const besideAlways = { peer: { name: 'AOF always', values: perSecond(found.always) } };
  const besideEverysec = { peer: { name: 'AOF everysec', values: perSecond(found.everysec) } };
  board.add({ goal: 'G1', what: 'jobs, FULL', ...rate, ...besideAlways, floor: atLeast(1.2), aim: 1.6 });
  board.add({ goal: 'G1', what: 'jobs, done + next in one', ...rateNext, ...besideAlways, aim: 2.1 });
  board.add({ goal: 'G2', what: 'jobs, FULL', ...rate, ...besideEverysec, floor: atLeast(1), aim: 1.38 });
  board.add({ goal: 'G2', what: 'jobs, done + next in one', ...rateNext, ...besideEverysec });

  const cost = { unit: 'µs/job', peer: { name: 'AOF always', values: cpu(found.always) } };
  board.add({
    goal: 'G3',
    what: 'CPU, all processes',
    engine: cpu(found.engine),
    ...cost,
    floor: atMost(0.65),
    aim: 0.49,
  });
  board.add({ goal: 'G3', what: 'CPU, done + next in one', engine: cpu(found.next), ...cost });
  board.add({
    goal: 'G3',
    what: 'CPU of the service alone',
    unit: 'µs/job',
    engine: found.engine.map((one) => one.serverCpuUsPerJob),
    peer: { name: 'AOF always', values: found.always.map((one) => one.serverCpuUsPerJob) },
  });
}

const perSecond = (found: Throughput[]): number[] => found.map((one) => one.jobsPerSecond);
const cpu = (found: Throughput[]): number[] => found.map((one) => one.cpuUsPerJob);

export const throughputGoals: Group = { goals: ['G1', 'G2', 'G3'], run };
