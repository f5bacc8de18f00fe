/** The checks of the doctor for each part of this machine: its state, and a remedy for each problem. */
import type { Account, EngineStatus } from '#contract/app/account.ts';
import type { SecretProblem, SecretsState } from '#contract/bridge/secrets.ts';
import type { EngineFacts } from '#contract/local/engine.ts';
import { bytes, duration } from '../output/units.ts';
import type { MachineReport } from './probes.ts';

/** `warning`: an optional part is missing. `problem`: Hangar does not work properly. */
export type CheckState = 'ok' | 'warning' | 'problem';

export interface Check {
  name: string;
  state: CheckState;
  /** The state; for a problem, its cause and what to do. */
  text: string;
}

export const ok = (name: string, text: string): Check => ({ name, state: 'ok', text });
export const warning = (name: string, text: string): Check => ({ name, state: 'warning', text });
export const problem = (name: string, text: string): Check => ({ name, state: 'problem', text });

/** The oldest Node that runs the program from source; packages include their own. */
const OLDEST_NODE = 24;

/** `version`: such as 24.1.0. */
export function checkNode(version: string): Check {
  const major = Number.parseInt(version, 10);
  if (major >= OLDEST_NODE) return ok('Node', version);
  return problem(
    'Node',
    `${version} is too old. Install Node ${OLDEST_NODE} or newer, or a package of Hangar that includes Node.`,
  );
}

const typesOf = (gpus: MachineReport['gpus']): string => {
  const counts = new Map<string, { count: number; memoryBytes: number }>();
  for (const { typeId, memoryBytes } of gpus) {
    counts.set(typeId, { count: (counts.get(typeId)?.count ?? 0) + 1, memoryBytes });
  }
  return [...counts].map(([type, { count, memoryBytes }]) => `${count} × ${type}, ${bytes(memoryBytes)}`).join('; ');
};

/** Containers, GPUs and Python: each handler needs some of them, and none needs all. */
export function checkMachine({ containers, gpus, gpuProblem, python }: MachineReport): Check[] {
  const engine = [containers.name, containers.version].filter(Boolean).join(' ');
  const types = typesOf(gpus);
  return [
    containers.available
      ? ok('Containers', `${engine} at ${containers.address ?? 'its usual place'}`)
      : warning('Containers', containers.problem ?? 'No container engine answers. Install and start Docker or Podman.'),
    gpuProblem === null
      ? ok('GPU', types || 'none: everything runs on the CPU')
      : warning('GPU', [types, gpuProblem].filter(Boolean).join('. ')),
    python.version !== null && python.problem === null
      ? ok('Python', python.version)
      : warning('Python', python.problem ?? 'No Python was found. Install Python 3.9 or newer.'),
  ];
}

export const checkKeychain = (keychainProblem: SecretProblem | null): Check =>
  keychainProblem === null ? ok('Keychain', 'it can store keys') : warning('Keychain', keychainProblem.reason);

/** The keys of a running Hangar: their store, and whether they can be read. */
export function checkKeys({ kind, chosen, problem: trouble, keychainProblem, filePath }: SecretsState): Check {
  if (trouble !== null) return problem('Keys', trouble.reason);
  if (kind === 'keychain') return ok('Keys', 'in the keychain of the system');
  if (kind === 'file') return ok('Keys', `in the encrypted file ${filePath}`);
  if (chosen) return ok('Keys', 'stored for this run only, as chosen');
  const why = keychainProblem === null ? '' : ` ${keychainProblem.reason}`;
  return warning('Keys', `They are stored for this run only: choose another place in the settings.${why}`);
}

/** Below this, the space for databases, logs and images is short. */
const LITTLE_BYTES = 2_000_000_000;
/** Below this, new jobs are soon refused. */
const LEAST_BYTES = 100_000_000;

/**
 * `freeBytes`: of the disk with the data folder; null if the system does not report it. `isFull`: a running engine
 * refuses jobs.
 */
export function checkDisk(freeBytes: number | null, isFull: boolean): Check {
  if (freeBytes === null) return warning('Disk', 'The system does not report the free space.');
  const free = `${bytes(freeBytes)} free`;
  const remedy = 'Free some, or move the data folder to a larger disk. "hangar doctor --paths" shows what uses it.';
  if (isFull || freeBytes < LEAST_BYTES) return problem('Disk', `${free}: new jobs are refused. ${remedy}`);
  return freeBytes < LITTLE_BYTES ? warning('Disk', `${free}, which is little. ${remedy}`) : ok('Disk', free);
}

/** Tolerated difference to the clock of another machine that wrote a file, for example over a network. */
const TOLERATED_MS = 60_000;

export interface ClockFacts {
  /** Milliseconds since the epoch, as every time here. */
  now: number;
  /** The time of the last write in the data folder; null if it is empty. */
  lastWriteAt: number | null;
  /** The build time of the program. */
  programAt: number;
  /** Whether the system synchronizes its clock; null if it does not report it. */
  isSynchronized: boolean | null;
}

/** Checks the clock, from which the times of jobs, keys and logs come. */
export function checkClock({ now, lastWriteAt, programAt, isSynchronized }: ClockFacts): Check {
  const remedy = 'Set the clock of this computer, or let the system set it over the network.';
  const shown = new Date(now).toISOString();
  if (now < programAt - TOLERATED_MS)
    return problem('Clock', `It says ${shown}, which is before this program was built. ${remedy}`);
  const behindMs = (lastWriteAt ?? now) - now;
  if (behindMs > TOLERATED_MS) {
    const by = duration(behindMs);
    return problem(
      'Clock',
      `It says ${shown}, ${by} before the last change in the data folder: it was set back. ${remedy}`,
    );
  }
  if (isSynchronized === false)
    return warning('Clock', `${shown}. The system does not set it over the network. ${remedy}`);
  return ok('Clock', shown);
}

/** The check of a running engine, by its own report. */
export function checkEngine(
  { state, silentSince, address, reason, notices }: EngineStatus,
  facts: EngineFacts | null,
): Check[] {
  const checks =
    state !== 'ready'
      ? [problem('Engine', `It is ${state}. ${reason ?? 'Its log says why.'}`)]
      : silentSince !== null
        ? [problem('Engine', `It has not answered since ${new Date(silentSince).toISOString()}.`)]
        : [ok('Engine', `at ${address ?? 'no address'}`)];
  const all = new Set([...notices, ...(facts?.notices ?? [])]);
  checks.push(...[...all].map((notice) => warning('Engine', notice)));
  if (facts?.backup.problem) checks.push(warning('Backup', facts.backup.problem));
  return checks;
}

/** The check of remote accounts. An account without a request so far is no warning. */
export function checkAccounts(accounts: readonly Account[]): Check[] {
  return accounts.map(({ name, state, reason, address }) => {
    const title = `Account ${name}`;
    if (state === 'ok') return ok(title, address ?? 'reached');
    if (state === 'unknown') return ok(title, `not checked yet; run "hangar accounts test"`);
    return warning(title, reason ?? `It is ${state}.`);
  });
}
