/** G1–G3: durable jobs from submit to COMPLETED through HTTP, beside the peer on BullMQ with either durability. */
import type { Bench, Group, Running } from '../bench.ts';
import { atLeast, atMost } from '../report.ts';
import { interleave } from '../measuring/rounds.ts';
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
    const values = await interleave('G1', rounds, engines);
    board.add({ goal: 'G1', what: 'jobs, FULL', unit: 'jobs/s', engine: perSecond(values.engine) });
    board.add({ goal: 'G3', what: 'CPU of a job', unit: 'µs', engine: cpu(values.engine) });
    return;
  }

  const alwaysWorker = await running.worker(always, { ...line, next: false });
  const everysecWorker = await running.worker(everysec, { ...line, next: false });
  const values = await interleave('G1 G2 G3', rounds, {
    ...engines,
    always: () => measureThroughput(always, alwaysWorker, jobs),
    everysec: () => measureThroughput(everysec, everysecWorker, jobs),
  });

  const rate = { unit: 'jobs/s', engine: perSecond(values.engine) };
  const rateNext = { unit: 'jobs/s', engine: perSecond(values.next) };
  const besideAlways = { peer: { name: 'AOF always', values: perSecond(values.always) } };
  const besideEverysec = { peer: { name: 'AOF everysec', values: perSecond(values.everysec) } };
  board.add({ goal: 'G1', what: 'jobs, FULL', ...rate, ...besideAlways, floor: atLeast(1.2), aim: 1.6 });
  board.add({ goal: 'G1', what: 'jobs, done + next in one', ...rateNext, ...besideAlways, aim: 2.1 });
  board.add({ goal: 'G2', what: 'jobs, FULL', ...rate, ...besideEverysec, floor: atLeast(1), aim: 1.38 });
  board.add({ goal: 'G2', what: 'jobs, done + next in one', ...rateNext, ...besideEverysec });

  const cost = { unit: 'µs/job', peer: { name: 'AOF always', values: cpu(values.always) } };
  board.add({
    goal: 'G3',
    what: 'CPU, all processes',
    engine: cpu(values.engine),
    ...cost,
    floor: atMost(0.65),
    aim: 0.49,
  });
  board.add({ goal: 'G3', what: 'CPU, done + next in one', engine: cpu(values.next), ...cost });
  board.add({
    goal: 'G3',
    what: 'CPU of the service alone',
    unit: 'µs/job',
    engine: values.engine.map((one) => one.serverCpuUsPerJob),
    peer: { name: 'AOF always', values: values.always.map((one) => one.serverCpuUsPerJob) },
  });
}

const perSecond = (throughputs: Throughput[]): number[] => throughputs.map((one) => one.jobsPerSecond);
const cpu = (throughputs: Throughput[]): number[] => throughputs.map((one) => one.cpuUsPerJob);

export const throughputGoals: Group = { goals: ['G1', 'G2', 'G3'], run };
