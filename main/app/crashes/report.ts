/**
 * The report file of a crash: the circumstances and the last lines of the log. It has no secrets, no environment and no
 * inputs of jobs, stays on this computer, and is never sent.
 */
import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { arch, cpus, freemem, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { CrashedPart } from '#contract/app/crash.ts';
import { messageOf } from '#contract/core/errors.ts';
import { processorName } from '#contract/core/processorName.ts';
import { isMissingFile } from '#contract/core/systemCode.ts';
import { makePrivateFolder } from '../platform/privateFolder.ts';
import { redact } from '../platform/redaction.ts';

/** The newest reports are kept. */
export const MOST_REPORTS = 20;
const LOG_LINES = 100;
const LOG_BYTES = 64 * 1024;
/** A longer line is cut. */
const LINE_LENGTH = 2000;

export const reportsFolder = (dataDir: string): string => join(dataDir, 'crash-reports');

export interface CrashFacts {
  readonly part: CrashedPart;
  /** How it ended, as a sentence. */
  readonly cause: string;
  /** The error with its stack, if there is one. */
  readonly error?: string;
  readonly exit: { readonly code: number | null; readonly signal: string | null; readonly reason?: string };
}

export interface ReportOptions {
  readonly dataDir: string;
  readonly logsDir: string;
  readonly version: string;
  readonly host: 'electron' | 'headless';
  /** Known secrets; others are found by their pattern. */
  readonly secrets: readonly string[];
}

/** The logs that show what happened before the crash. */
const logsOf: Record<CrashedPart, readonly string[]> = {
  main: ['app'],
  'last-run': ['app'],
  page: ['app'],
  engine: ['engine', 'app'],
  keychain: ['app'],
  gpu: ['app'],
};

const cut = (line: string): string => line.slice(0, LINE_LENGTH);

/** The last lines of a file, oldest first; the reason if it cannot be opened. */
function lastLines(path: string): string[] {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    // Nothing was logged yet.
    if (isMissingFile(error)) return [];
    return [`${path} cannot be read: ${messageOf(error)}`];
  }
  try {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - LOG_BYTES);
    const buffer = Buffer.alloc(size - from);
    const read = readSync(file, buffer, 0, buffer.length, from);
    const lines = buffer.toString('utf8', 0, read).split('\n').filter(Boolean);
    // The first one of a part of a file has no beginning.
    return (from > 0 ? lines.slice(1) : lines).slice(-LOG_LINES).map(cut);
  } finally {
    closeSync(file);
  }
}

function removeOldest(folder: string): void {
  // Names of reports begin with the time.
  const names = readdirSync(folder).filter((name) => /^\d.*\.json$/.test(name));
  for (const name of names.toSorted().slice(0, -MOST_REPORTS)) rmSync(join(folder, name), { force: true });
}

/** `at`: milliseconds since the epoch. Returns the path. Throws an error of the system if it cannot be written. */
export function writeReport({ part, cause, error, exit }: CrashFacts, at: number, options: ReportOptions): string {
  const { dataDir, logsDir, version, host, secrets } = options;
  const time = new Date(at).toISOString();
  const [processor] = cpus();
  const report = {
    about: 'A crash of a part of Hangar. This file stays on this computer: Hangar sends it nowhere.',
    time,
    part,
    cause,
    exit,
    ...(error !== undefined && { error: error.split('\n').slice(0, LOG_LINES).map(cut) }),
    program: {
      version,
      host,
      runningForS: Math.round(process.uptime()),
      node: process.versions.node,
      electron: process.versions['electron'] ?? null,
      chrome: process.versions['chrome'] ?? null,
    },
    machine: {
      system: `${process.platform} ${release()}`,
      processor: `${cpus().length} × ${processorName(processor?.model ?? 'unknown')} (${arch()})`,
      memoryBytes: totalmem(),
      freeMemoryBytes: freemem(),
    },
    logs: Object.fromEntries(logsOf[part].map((name) => [`${name}.log`, lastLines(join(logsDir, `${name}.log`))])),
  };
  const folder = reportsFolder(dataDir);
  makePrivateFolder(folder);
  const path = join(folder, `${time.replace(/[:.]/g, '-')}-${part}.json`);
  writeFileSync(path, `${redact(JSON.stringify(report, null, 2), secrets)}\n`, { mode: 0o600 });
  removeOldest(folder);
  return path;
}
