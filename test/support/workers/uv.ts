/** The uv that tests hand to Hangar. */
import { spawnSync } from 'node:child_process';
import { dirname, delimiter } from 'node:path';
import { findInstalled, install } from '../clients/install.ts';
import { programIn, UV } from '../clients/python.ts';
import { isFullTier } from '../core/random.ts';

const WANTED = { registry: 'PyPI', packages: [UV] } as const;

/**
 * The environment in which `uv` is found: that of the machine, or one from PyPI, which a run of everything installs once
 * for all later runs. `missing`: why there is none, as the end of "…, because …".
 */
export async function findUv(): Promise<{ env: { PATH: string } } | { missing: string }> {
  const path = process.env['PATH'] ?? '';
  if (spawnSync('uv', ['--version']).status === 0) return { env: { PATH: path } };
  const installed = isFullTier ? await install(WANTED) : findInstalled(WANTED);
  if (installed === null) return { missing: 'uv is not on PATH, and `npm run test:full` has not installed one yet' };
  if ('missing' in installed) return installed;
  return { env: { PATH: `${dirname(programIn(installed.folder, 'uv'))}${delimiter}${path}` } };
}
