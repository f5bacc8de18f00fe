/** The rules of jobs hold under random use: many seeded simulations against a small model. */
import { expect, test } from 'vitest';
import { simulate } from '../../../test/simulation/simulation.ts';

/** One seed to run again, or how many to run: HANGAR_SIMULATION_SEED=17, HANGAR_SIMULATIONS=100000. */
const one = process.env.HANGAR_SIMULATION_SEED;
const SEEDS = Number(process.env.HANGAR_SIMULATIONS ?? 2000);

test('no acknowledged job is lost, none ends twice, each goes at its time, chunks keep their order, and the counters tell the jobs', async () => {
  if (one !== undefined) {
    await simulate(Number(one), (what) => process.stdout.write(`${what}\n`));
    return;
  }
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      await simulate(seed);
    } catch (cause) {
      expect.fail(`seed ${seed} (HANGAR_SIMULATION_SEED=${seed}): ${(cause as Error).message}`);
    }
  }
}, 600_000);
