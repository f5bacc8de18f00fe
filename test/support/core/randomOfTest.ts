import { onTestFailed } from 'vitest';
import { createRandom, SEED_VARIABLE, testSeed, type Random } from './random.ts';

/**
 * Numbers for the test that runs, from the seed of the run. Where the test fails, its message says how to draw the same
 * again.
 */
export function randomOfTest(): Random {
  onTestFailed(({ task }) => {
    for (const error of task.result?.errors ?? [])
      error.message += `\n${SEED_VARIABLE}=${testSeed} draws the same again.`;
  });
  return createRandom(testSeed);
}
