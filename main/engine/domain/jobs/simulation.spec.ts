/** The rules of jobs hold under random use: many seeded simulations against a small model. */
import { expect, test } from 'vitest';
import { isFullTier, testSeed } from '../../../../test/support/core/random.ts';
import { simulate } from '../../../../test/simulation/simulation.ts';

/**
 * One seed to run again with its steps, or how many to run from the seed of the run on: HANGAR_SIMULATION_SEED=17,
 * HANGAR_SIMULATIONS=100000.
 */
const one = process.env.HANGAR_SIMULATION_SEED;
const SEEDS = Number(process.env.HANGAR_SIMULATIONS ?? (isFullTier ? 2000 : 200));

test('no acknowledged job is lost, none ends twice, each goes at its time, chunks keep their order, and the counters tell the jobs', async () => {
  if (one !== undefined) {
    await simulate(Number(one), (what) => process.stdout.write(`${what}\n`));
    return;
  }
  for (let seed = testSeed; seed < testSeed + SEEDS; seed++) {
    try {
      await simulate(seed);
    } catch (cause) {
      expect.fail(`seed ${seed} (HANGAR_SIMULATION_SEED=${seed}): ${(cause as Error).message}`);
    }
  }
});
