/** What workers write: the last lines in memory, everything in a file of its own with a limit. */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { appendFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';

const LINES_IN_MEMORY = 50;
/** A line is cut here in memory; the file has all of it. */
const LINE_CHARACTERS = 4000;
/** A file that has grown to this is put aside as `<name>.1`, and the one that was there goes. */
const FILE_BYTES = 5 * 1024 * 1024;
/** A worker that writes faster than the disk takes it waits. */
const PENDING_BYTES = 1024 * 1024;
const FILES_KEPT = 100;

export interface WorkerLog {
  /** Reads a stream of the worker to its end. */
  read(stream: Readable): void;
  /** The last lines of all streams, oldest first. */
  lastLines(): string[];
  /** Settles once everything that was read is in the file. */
  written(): Promise<void>;
}

export interface WorkerLogs {
  open(workerId: string): WorkerLog;
}

export interface WorkerLogsOptions {
  folder: string;
  /** Called when the file cannot be written, once per worker: the worker runs on. */
  onFailure: (workerId: string, error: unknown) => void;
  fileBytes?: number;
  filesKept?: number;
}

/** Removes the oldest files, so that at most `kept` stay. */
function prune(folder: string, kept: number): void {
  const files = readdirSync(folder)
    .map((name) => path.join(folder, name))
    .map((file) => ({ file, changedAt: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.changedAt - a.changedAt);
  for (const { file } of files.slice(kept)) rmSync(file, { force: true });
}

export function createWorkerLogs(options: WorkerLogsOptions): WorkerLogs {
  const { folder, onFailure, fileBytes = FILE_BYTES, filesKept = FILES_KEPT } = options;

  function open(workerId: string): WorkerLog {
    const file = path.join(folder, `${workerId}.log`);
    const lines: string[] = [];
    const waiting = new Set<Readable>();
    let pending: Buffer[] = [];
    let pendingBytes = 0;
    let sizeBytes = 0;
    let writing: Promise<void> | null = null;
    let failed = false;

    try {
      mkdirSync(folder, { recursive: true });
      prune(folder, filesKept - 1);
    } catch (error) {
      fail(error);
    }

    function fail(error: unknown): void {
      if (failed) return;
      failed = true;
      onFailure(workerId, error);
    }

    async function writeAll(): Promise<void> {
      while (pending.length > 0) {
        const part = Buffer.concat(pending);
        pending = [];
        pendingBytes = 0;
        try {
          if (sizeBytes > 0 && sizeBytes + part.length > fileBytes) {
            await rename(file, `${file}.1`);
            sizeBytes = 0;
          }
          if (!failed) await appendFile(file, part);
          sizeBytes += part.length;
        } catch (error) {
          fail(error);
        }
        for (const stream of waiting) stream.resume();
        waiting.clear();
      }
      writing = null;
    }

    function keepLine(line: string): void {
      lines.push(line.length > LINE_CHARACTERS ? `${line.slice(0, LINE_CHARACTERS)}…` : line);
      if (lines.length > LINES_IN_MEMORY) lines.shift();
    }

    return {
      read(stream) {
        const decoder = new StringDecoder('utf8');
        let rest = '';
        const take = (text: string): void => {
          const complete = (rest + text).split(/\r?\n/);
          // A line without an end must not fill the memory.
          rest = complete.pop()!.slice(0, LINE_CHARACTERS + 1);
          for (const line of complete) keepLine(line);
        };
        stream.on('data', (data: Buffer) => {
          take(decoder.write(data));
          pending.push(data);
          pendingBytes += data.length;
          if (pendingBytes > PENDING_BYTES) {
            waiting.add(stream);
            stream.pause();
          }
          writing ??= writeAll();
        });
        stream.on('end', () => {
          take(decoder.end());
          if (rest !== '') keepLine(rest);
        });
        stream.on('error', fail);
      },
      lastLines: () => [...lines],
      written: () => writing ?? Promise.resolve(),
    };
  }

  return { open };
}
