/** Where log lines go: a rotating file below the data folder, redacted line by line, and standard error where the host wants it. */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import { makePrivateFolder } from './privateFolder.ts';
import { redact } from './redaction.ts';

const MOST_FILES = 5;
const FILE_BYTES = 10_000_000;

export interface LogFile {
  /** One line, with or without its line end. */
  write(line: string): void;
}

export interface LogFileOptions {
  /** Folder of the logs; made when it is missing. */
  dir: string;
  /** `app` becomes app.log, app.1.log and so on, the first one being the newest. */
  name: string;
  /** Secrets that are known, besides those known by their shape. */
  secrets: readonly string[];
  fileBytes?: number;
}

export function openLogFile({ dir, name, secrets, fileBytes = FILE_BYTES }: LogFileOptions): LogFile {
  makePrivateFolder(dir);
  const path = (age: number): string => join(dir, age === 0 ? `${name}.log` : `${name}.${age}.log`);
  let size = statSync(path(0), { throwIfNoEntry: false })?.size ?? 0;

  function rotate(): void {
    for (let age = MOST_FILES - 2; age >= 0; age -= 1) {
      if (statSync(path(age), { throwIfNoEntry: false })) renameSync(path(age), path(age + 1));
    }
    size = 0;
  }

  return {
    write(line) {
      const clean = `${redact(line.trimEnd(), secrets)}\n`;
      try {
        if (size > 0 && size + clean.length > fileBytes) rotate();
        appendFileSync(path(0), clean, { mode: 0o600 });
        size += Buffer.byteLength(clean);
      } catch {
        // A full disk or a folder that was removed: a log that cannot be written must not stop what it tells about.
      }
    },
  };
}

export interface LogOptions {
  file: LogFile;
  level: Exclude<Logger['level'], 'silent'>;
  /** Lines from this level on also go to standard error; null for none. */
  stderrLevel: 'debug' | 'info' | 'warn' | 'error' | null;
  secrets: readonly string[];
}

const LEVELS = { debug: 20, info: 30, warn: 40, error: 50 };

/** `"level":40` stands near the beginning of each line that pino writes. */
const levelOf = (line: string): number => Number(/"level":(\d+)/.exec(line)?.[1] ?? 0);

export function createLogger({ file, level, stderrLevel, secrets }: LogOptions): Logger {
  const write = (line: string): void => {
    file.write(line);
    if (stderrLevel !== null && levelOf(line) >= LEVELS[stderrLevel]) process.stderr.write(redact(line, secrets));
  };
  return pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}
