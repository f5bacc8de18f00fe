/** Chance in tests: every case that is drawn follows from one seed. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import config from '../../vitest.config.ts';
import { createRandom, FIXED_SEED, seedOf, testSeed } from '../support/core/random.ts';

const drawn = (seed?: number): number[] =>
  fc.sample(fc.nat(), seed === undefined ? { numRuns: 20 } : { numRuns: 20, seed });

test('the seed is the number that HANGAR_TEST_SEED names, and the same in every run without it', () => {
  expect(seedOf({ HANGAR_TEST_SEED: '4711' })).toBe(4711);
  expect(seedOf({ HANGAR_TEST_SEED: '-332603791' })).toBe(-332_603_791);
  expect(seedOf({})).toBe(FIXED_SEED);
  expect(seedOf({ HANGAR_TEST_SEED: '' })).toBe(FIXED_SEED);
});

test.each(['x', '1.5', '1e3', ' 7', '0x10'])('a seed of %j is refused with the reason', (text) => {
  expect(() => seedOf({ HANGAR_TEST_SEED: text })).toThrow(/^HANGAR_TEST_SEED must be a whole number/);
});

test('properties draw the cases of the seed of the run, and others of another seed', () => {
  expect(drawn()).toEqual(drawn(testSeed));
  expect(drawn()).toEqual(drawn());
  expect(drawn(testSeed + 1)).not.toEqual(drawn());
});

test('a random source repeats its numbers for its seed, and draws others for another seed', () => {
  const numbers = (seed: number): number[] => {
    const random = createRandom(seed);
    return Array.from({ length: 20 }, () => random.below(1_000_000));
  };
  expect(numbers(testSeed)).toEqual(numbers(testSeed));
  expect(numbers(testSeed + 1)).not.toEqual(numbers(testSeed));
});

test('every project of the tests sets the seed before its specs', () => {
  expect(config).toHaveProperty('test.setupFiles.0', './test/randomSeed.ts');
  const projects = config.test?.projects ?? [];
  expect(projects.length).toBeGreaterThan(3);
  // A project without this takes over nothing of the settings for all.
  for (const project of projects) expect(project).toHaveProperty('extends', true);
});
