/** Finds a Python on this machine that is new enough for the worker kit. */
import { execFile } from 'node:child_process';
import type { PythonChoice } from './choosePython.ts';

const OLDEST = [3, 9] as const;
const CHECK_TIMEOUT_MS = 20_000;
const REPORT = 'import sys; print("%d.%d.%d %s" % (*sys.version_info[:3], sys.executable))';

export interface Python {
  /** The path of its program. */
  program: string | null;
  version: string | null;
  /** Why there is none, and what to do; null when there is one. */
  reason: string | null;
}

export interface PythonFinder {
  /** What was found last, without looking; null before that. */
  known(): { program: string; version: string } | null;
  find(): Promise<Python>;
}

/** In the order in which they are tried. */
function candidates(env: NodeJS.ProcessEnv, only: PythonChoice | null): string[][] {
  if (only) return [[only.program]];
  const chosen = env['HANGAR_PYTHON'];
  if (chosen) return [[chosen]];
  return [['python3'], ['python'], ...(process.platform === 'win32' ? [['py', '-3']] : [])];
}

function ask([program, ...args]: string[], env: NodeJS.ProcessEnv): Promise<string | null> {
  return new Promise((resolve) => {
    const options = { timeout: CHECK_TIMEOUT_MS, env, windowsHide: true };
    execFile(program!, [...args, '-c', REPORT], options, (error, stdout) => resolve(error ? null : stdout.trim()));
  });
}

/**
 * Whoever asks while it looks gets the same answer; a Python that was found is kept, a missing one is looked for again. `only`: the
 * one that is called for, in place of any that this machine has.
 */
export function createPythonFinder(
  env: NodeJS.ProcessEnv = process.env,
  only: PythonChoice | null = null,
): PythonFinder {
  let found: { program: string; version: string } | null = null;
  let looking: Promise<Python> | null = null;

  async function look(): Promise<Python> {
    let tooOld: string | null = null;
    for (const candidate of candidates(env, only)) {
      const answer = await ask(candidate, env);
      const [, version, program] = /^(\d+\.\d+\.\d+) (.+)$/.exec(answer ?? '') ?? [];
      if (version === undefined || program === undefined) continue;
      const [major = 0, minor = 0] = version.split('.').map(Number);
      if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) {
        found = { program, version };
        return { ...found, reason: null };
      }
      tooOld ??= `${program} is Python ${version}`;
    }
    const chosen = env['HANGAR_PYTHON'];
    const need = `Python ${OLDEST.join('.')} or newer`;
    if (only) {
      const seen = tooOld ?? `${only.program} cannot be run`;
      return { program: null, version: null, reason: `Python handlers need ${need}, and ${seen} (${only.from}).` };
    }
    const seen = tooOld ?? (chosen ? `HANGAR_PYTHON (${chosen}) cannot be run` : 'no Python was found on PATH');
    return {
      program: null,
      version: null,
      reason: `Python handlers need ${need}, and ${seen}. Install ${need}, or set HANGAR_PYTHON to its path before Hangar starts.`,
    };
  }

  return {
    known: () => found,
    find() {
      if (found !== null) return Promise.resolve({ ...found, reason: null });
      looking ??= look().finally(() => (looking = null));
      return looking;
    },
  };
}
