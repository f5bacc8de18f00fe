/** G7: what committing in groups is worth, and what syncing every commit costs. */
import type { Bench, Group, Running } from '../bench.ts';
import { startVariant } from '../contenders.ts';
import type { InsideView, Variant } from '../programs/variant.ts';
import { atLeast } from '../report.ts';
import { interleave } from '../measuring/rounds.ts';
import { measureThroughput, OUTPUT_BYTES, WORKER_SLOTS } from '../throughput.ts';

async function run({ board, quick, rounds }: Bench, running: Running): Promise<void> {
  async function variant(name: string, how: Partial<Variant>, jobs: number) {
    const contender = running.stopping(await startVariant(name, how));
    const worker = await running.worker(contender, { slots: WORKER_SLOTS, outputBytes: OUTPUT_BYTES, next: false });
    return async () => {
      await contender.engine.tell({ type: 'inside' });
      const { jobsPerSecond } = await measureThroughput(contender, worker, jobs);
      const { writes, transactions } = (await contender.engine.tell({ type: 'inside' })) as InsideView;
      return { jobsPerSecond, writesPerCommit: writes / transactions };
    };
  }
  const jobs = quick ? 3000 : 10_000;
  const values = await interleave('G7', rounds, {
    grouped: await variant('grouped', {}, jobs),
    normal: await variant('NORMAL', { synchronous: 'NORMAL' }, jobs),
    single: await variant('one by one', { oneByOne: true }, quick ? 1000 : 3000),
  });
  const rates = (name: keyof typeof values): number[] => values[name].map((one) => one.jobsPerSecond);
  const grouped = { unit: 'jobs/s', engine: rates('grouped') };
  const single = { name: 'FULL, one by one', values: rates('single') };
  const normal = { name: 'NORMAL, grouped', values: rates('normal') };
  board.add({ goal: 'G7', what: 'jobs, FULL and grouped', ...grouped, peer: single, floor: atLeast(5), aim: 7.1 });
  board.add({ goal: 'G7', what: 'jobs, FULL and grouped', ...grouped, peer: normal, floor: atLeast(0.65), aim: 0.82 });
  board.add({
    goal: 'G7',
    what: 'writes in a commit',
    unit: 'writes',
    engine: values.grouped.map((one) => one.writesPerCommit),
  });
}

export const commitGoals: Group = { goals: ['G7'], run };
