/** Finds a Python on this machine that is new enough for the worker kit. */
import { execFile } from 'node:child_process';
import type { PythonChoice } from './choosePython.ts';

const OLDEST = [3, 9] as const;
const CHECK_TIMEOUT_MS = 20_000;
const REPORT = 'import sys; print("%d.%d.%d %s" % (*sys.version_info[:3], sys.executable))';

export interface Python {
  /** The path of the program; null without one. */
  program: string | null;
  version: string | null;
  /** Why no Python was found, and the remedy; null otherwise. */
  reason: string | null;
}

export interface PythonFinder {
  /** The last Python that was found, without a new search; null before the first. */
  latest(): { program: string; version: string } | null;
  find(): Promise<Python>;
}

/** A program and its arguments. */
type Candidate = readonly [program: string, ...args: string[]];

/** The candidates in the order of the search. */
function candidates(env: NodeJS.ProcessEnv, only: PythonChoice | null): Candidate[] {
  if (only) return [[only.program]];
  const chosen = env['HANGAR_PYTHON'];
  if (chosen) return [[chosen]];
  const launcher: Candidate[] = process.platform === 'win32' ? [['py', '-3']] : [];
  return [['python3'], ['python'], ...launcher];
}

function ask([program, ...args]: Candidate, env: NodeJS.ProcessEnv): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { timeout: CHECK_TIMEOUT_MS, env, windowsHide: true };
    execFile(program, [...args, '-c', REPORT], options, (error, stdout) => resolve(error ? null : stdout.trim()));
  });
}

/**
 * Concurrent callers share one search. A result is cached; a missing Python is searched for again. `only` replaces all
 * candidates of this machine.
 */
export function createPythonFinder(
  env: NodeJS.ProcessEnv = process.env,
  only: PythonChoice | null = null,
): PythonFinder {
  let latest: { program: string; version: string } | null = null;
  let searching: Promise<Python> | null = null;

  async function search(): Promise<Python> {
    let tooOld: string | null = null;
    for (const candidate of candidates(env, only)) {
      const answer = await ask(candidate, env);
      const [, version, program] = /^(\d+\.\d+\.\d+) (.+)$/.exec(answer ?? '') ?? [];
      if (version === undefined || program === undefined) continue;
      const [major = 0, minor = 0] = version.split('.').map(Number);
      if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) {
        latest = { program, version };
        return { ...latest, reason: null };
      }
      tooOld ??= `${program} is Python ${version}`;
    }
    const chosen = env['HANGAR_PYTHON'];
    const need = `Python ${OLDEST.join('.')} or newer`;
    if (only) {
      const reason = tooOld ?? `${only.program} cannot be run`;
      return { program: null, version: null, reason: `Python handlers need ${need}, and ${reason} (${only.from}).` };
    }
    const reason = tooOld ?? (chosen ? `HANGAR_PYTHON (${chosen}) cannot be run` : 'no Python was found on PATH');
    return {
      program: null,
      version: null,
      reason: `Python handlers need ${need}, and ${reason}. Install ${need}, or set HANGAR_PYTHON to its path before Hangar starts.`,
    };
  }

  return {
    latest: () => latest,
    find() {
      if (latest !== null) return Promise.resolve({ ...latest, reason: null });
      searching ??= search().finally(() => (searching = null));
      return searching;
    },
  };
}
