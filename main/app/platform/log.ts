/**
 * The targets of log lines: a rotating file in the data folder, redacted line by line, and optionally standard error.
 */
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
  /** Folder of the logs; created if it is missing. */
  dir: string;
  /** `app` becomes app.log, app.1.log and so on, the first one being the newest. */
  name: string;
  /** Known secrets. Other secrets are found by their pattern. */
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
        // A full disk, or a removed folder. A log that cannot be written must not stop the program.
      }
    },
  };
}

export interface LogOptions {
  file: LogFile;
  level: Exclude<Logger['level'], 'silent'>;
  /** The lowest level that also goes to standard error; null: none. */
  stderrLevel: 'debug' | 'info' | 'warn' | 'error' | null;
  secrets: readonly string[];
}

const LEVELS = { debug: 20, info: 30, warn: 40, error: 50 };

/** pino writes `"level":40` near the beginning of each line. */
const levelOf = (line: string): number => Number(/"level":(\d+)/.exec(line)?.[1] ?? 0);

export function createLogger({ file, level, stderrLevel, secrets }: LogOptions): Logger {
  const write = (line: string): void => {
    file.write(line);
    if (stderrLevel !== null && levelOf(line) >= LEVELS[stderrLevel]) process.stderr.write(redact(line, secrets));
  };
  return pino({ level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, { write });
}
