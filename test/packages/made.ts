/** Where the packages of this run lie, as the global setup of the stage made them. */

/** Its variable in the environment of the specs. */
export const MADE_PACKAGES = 'HANGAR_TEST_PACKAGES';
/** The versions that the packages of the tests have. */
export const OLDER = '1.2.3';
export const NEWER = '1.2.4';

export interface MadePackages {
  /** The npm package of the older version. */
  readonly npm: string;
  /** The Debian packages; null on a machine that cannot make them. */
  readonly debs: { readonly older: string; readonly newer: string } | null;
}

export function madePackages(): MadePackages {
  const made = process.env[MADE_PACKAGES];
  if (made === undefined) throw new Error('The packages were not made: run this spec with `npm test -- packages`.');
  return JSON.parse(made) as MadePackages;
}
