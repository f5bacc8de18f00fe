/** Options of tests and suites that some machines cannot run. The summary of a run prints the reason of each skip. */
import { userInfo } from 'node:os';
import { spawnSync } from 'node:child_process';

declare module 'vitest' {
  interface TaskMeta {
    /** Why the test is skipped, as the end of "…, because …". */
    whySkipped?: string;
  }
}

interface SkipOptions {
  skip?: true;
  meta?: { whySkipped: string };
}

/** Skips with the reason; null: it runs. The tests of a suite inherit both. */
export const skipFor = (reason: string | null): SkipOptions =>
  reason === null ? {} : { skip: true, meta: { whySkipped: reason } };

export const whyNotPosix = process.platform === 'win32' ? 'it needs Linux or macOS' : null;
export const whyNotRoot = userInfo().uid === 0 ? null : 'it needs root';

export const needsLinux = skipFor(process.platform === 'linux' ? null : 'it needs Linux');
export const needsPosix = skipFor(whyNotPosix);
export const needsRoot = skipFor(whyNotRoot);

const python = process.env['HANGAR_PYTHON'] ?? 'python3';
const MINIMUM = 'import sys; sys.exit(sys.version_info < (3, 9))';
/** Starts Python once, when a suite asks. */
export const needsPython = (): SkipOptions =>
  skipFor(spawnSync(python, ['-c', MINIMUM]).status === 0 ? null : 'this machine has no Python of 3.9 or newer');

const WITH_VENV = 'import ensurepip, venv, sys; sys.exit(sys.version_info < (3, 9))';
/** Why no environment for Python can be made here; null when one can. Starts Python. */
export const whyNoVenv = (): string | null =>
  spawnSync('python3', ['-c', WITH_VENV]).status === 0
    ? null
    : 'this machine has no Python of 3.9 or newer with venv and pip';
