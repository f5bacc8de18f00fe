/** The doctor's own probes of this computer: the data folder, its disk, the clock, and TCP ports. */
import { execFile } from 'node:child_process';
import { constants, accessSync, readdirSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { ok, problem, warning, type Check, type ClockFacts } from './checks.ts';

const OTHERS = 0o077;
const LOOPBACK = '127.0.0.1';
const TIMEDATECTL_MS = 2000;

/** The folder, or its nearest existing parent. */
function nearest(folder: string): string {
  const parent = dirname(folder);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() || parent === folder ? folder : nearest(parent);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    // The answer is the result of the check, which names the folder.
    return false;
  }
}

/** Checks the folder without creating or changing anything. */
export function checkDataFolder(dataDir: string): Check {
  const name = 'Data folder';
  const other = 'or name another folder with --data-dir or HANGAR_HOME';
  try {
    const facts = statSync(dataDir, { throwIfNoEntry: false });
    if (facts === undefined) {
      const above = nearest(dataDir);
      if (isWritable(above)) return ok(name, `${dataDir} is created at the first start`);
      return problem(
        name,
        `${dataDir} cannot be created: this user has no permission to write in ${above}. Change its permissions, ${other}.`,
      );
    }
    if (!facts.isDirectory()) return problem(name, `${dataDir} is a file. Remove it, ${other}.`);
    const user = process.getuid?.();
    if (user !== undefined && user !== 0 && facts.uid !== user) {
      return problem(name, `${dataDir} belongs to another user. Run Hangar as that user, ${other}.`);
    }
    if (!isWritable(dataDir)) {
      return problem(name, `This user has no permission to write in ${dataDir}. Change its permissions, ${other}.`);
    }
    if (process.platform !== 'win32' && (facts.mode & OTHERS) !== 0) {
      return warning(
        name,
        `Other users of this machine can read ${dataDir}. Run "chmod 700" on it, or start Hangar, which does the same.`,
      );
    }
    return ok(name, dataDir);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return problem(name, `${dataDir} cannot be read: ${reason}. Change its permissions, ${other}.`);
  }
}

/**
 * Free bytes for this user on the disk of the data folder, also before the folder exists; null if the system does not
 * report it.
 */
export async function freeBytesAt(dataDir: string): Promise<number | null> {
  const disk = await statfs(nearest(dataDir)).catch(() => null);
  return disk && disk.bavail * disk.bsize;
}

/** The last change of an entry in the folder, in milliseconds since the epoch; null if there is none. */
function lastWriteIn(dataDir: string): number | null {
  try {
    const times = readdirSync(dataDir).map(
      (name) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    );
    return times.length === 0 ? null : Math.max(...times);
  } catch {
    // The folder is missing or unreadable, which another check reports.
    return null;
  }
}

/** The report of systemd about the clock; null without systemd. */
function isSynchronized(): Promise<boolean | null> {
  if (process.platform !== 'linux') return Promise.resolve(null);
  return new Promise((resolve) => {
    const args = ['show', '--property=NTPSynchronized', '--value'];
    execFile('timedatectl', args, { timeout: TIMEDATECTL_MS }, (error, stdout) => {
      const answer = stdout.trim();
      resolve(error !== null || (answer !== 'yes' && answer !== 'no') ? null : answer === 'yes');
    });
  });
}

export const clockFacts = async (dataDir: string): Promise<ClockFacts> => ({
  now: Date.now(),
  lastWriteAt: lastWriteIn(dataDir),
  programAt: statSync(import.meta.filename, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  isSynchronized: await isSynchronized(),
});

/** Whether a program can listen on this port of the loopback address. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, LOOPBACK, () => server.close(() => resolve(true)));
  });
}
