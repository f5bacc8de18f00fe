/** Chance in tests: one seed for the whole run, and numbers that follow from a seed. */

/** The environment variable that holds the seed of a run. */
export const SEED_VARIABLE = 'HANGAR_TEST_SEED';

/** The seed of a run that names none: each such run draws the same cases. */
export const FIXED_SEED = 1;

/**
 * The seed that the environment names, a whole number; without one the fixed seed. Throws an Error where the value is
 * no whole number.
 */
export function seedOf(environment: Readonly<Record<string, string | undefined>>): number {
  const text = environment[SEED_VARIABLE];
  if (text === undefined || text === '') return FIXED_SEED;
  if (!/^-?\d{1,15}$/.test(text))
    throw new Error(`${SEED_VARIABLE} must be a whole number, not ${JSON.stringify(text)}.`);
  return Number(text);
}

/** The seed of this run. */
export const testSeed = seedOf(process.env);

/** Whether this is a run of everything, in which a property may draw many more cases: `npm run test:full`. */
export const isFullTier = process.env['HANGAR_TEST_TIER'] === 'full';

export interface Random {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  /** A number from 0 up to, but not including, 1. */
  fraction(): number;
}

/** Numbers that look random and are the same for the same seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { fraction, below: (limit) => Math.floor(fraction() * limit) };
}
