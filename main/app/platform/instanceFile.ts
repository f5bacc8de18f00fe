/** The instance file of a data folder names the process that uses it, and the socket for the command line. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { systemCode } from '#contract/core/systemCode.ts';

const instanceSchema = z.object({
  pid: z.int().positive(),
  /** The version of Hangar; null in a file of an earlier version. */
  version: z.string().nullable().default(null),
  /** The type of the host program. */
  host: z.enum(['electron', 'headless']).nullable().default(null),
  /** Path of the Unix socket, or name of the pipe, for the command line; null if there is none. */
  socket: z.string().nullable().default(null),
});
export type Instance = z.infer<typeof instanceSchema>;

const fileOf = (dataDir: string): string => join(dataDir, 'instance.json');

/** The file of this process. */
export interface InstanceNote {
  /** Sets the socket for the command line; null removes it. */
  setSocket(socket: string | null): void;
  /** Removes the file. Later changes are not written. */
  withdraw(): void;
}

/**
 * Writes the file. The caller holds the ledger's lock; the file itself is no lock. Throws an error of the system if it
 * cannot be written.
 */
export function noteInstance(dataDir: string, facts: Pick<Instance, 'version' | 'host'>): InstanceNote {
  const file = fileOf(dataDir);
  let isWithdrawn = false;
  const write = (socket: string | null): void => {
    if (isWithdrawn) return;
    const part = `${file}.part`;
    rmSync(part, { force: true });
    const instance: Instance = { pid: process.pid, ...facts, socket };
    writeFileSync(part, `${JSON.stringify(instance)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(part, file);
  };
  write(null);
  return {
    setSocket: write,
    withdraw() {
      isWithdrawn = true;
      rmSync(file, { force: true });
    },
  };
}

/** The instance that uses the folder, or used it and was killed; null if there is no readable file. */
export function readInstance(dataDir: string): Instance | null {
  try {
    return instanceSchema.parse(JSON.parse(readFileSync(fileOf(dataDir), 'utf8')));
  } catch {
    // The other instance is just starting, or its file was removed: the caller then reports less.
    return null;
  }
}

/** Process id of the instance that uses the folder; null if there is no readable file. */
export const instanceOf = (dataDir: string): number | null => readInstance(dataDir)?.pid ?? null;

/** Whether a process with this id exists, also one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return systemCode(thrown) === 'EPERM';
  }
}
