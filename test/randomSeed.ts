/**
 * Gives every property of fast-check the seed of the run. A Vitest setup file of every project. A property that fails
 * prints its seed: HANGAR_TEST_SEED with that number draws the same cases again.
 */
import fc from 'fast-check';
import { testSeed } from './support/core/random.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: testSeed });
