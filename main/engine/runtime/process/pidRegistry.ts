/** Remembers on disk which processes run, so that the next engine can end what a killed one has left behind. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Logger } from '../../domain/core/ports.ts';
import { killMarked, killTree } from './childProcess.ts';
import { groupMembers, hasVariable, startMark, type Variable } from './identity.ts';

/** What each process of a worker has in its environment, and no other has. */
export const workerMark = (workerId: string): Variable => ({ name: 'RUNPOD_POD_ID', value: workerId });

interface ProcessRecord {
  workerId: string;
  pid: number;
  /** See `startMark`. */
  mark: string;
}

function parseRecord(text: string): ProcessRecord {
  const { workerId, pid, mark } = JSON.parse(text) as Record<string, unknown>;
  if (typeof workerId === 'string' && Number.isInteger(pid) && (pid as number) > 1 && typeof mark === 'string') {
    return { workerId, pid: pid as number, mark };
  }
  throw new TypeError('not a record of a process');
}

export interface ProcessRecords {
  add(workerId: string, pid: number): Promise<void>;
  remove(pid: number): Promise<void>;
  /** Kills what earlier records name, if it still is what they name, and forgets them. */
  sweep(): Promise<void>;
}

/** Whether the recorded process, or at least what it has started, is what runs under its number now. */
async function stillRuns({ workerId, pid, mark }: ProcessRecord): Promise<boolean> {
  const now = await startMark(pid);
  if (now !== null) return now === mark;
  // It has ended, but its group may live on, and who is in it can be asked on Linux.
  return process.platform === 'linux' && groupMembers(pid).some((member) => hasVariable(member, workerMark(workerId)));
}

/** One small file per process: whatever moment the engine dies at, the other records are whole. */
export function createProcessRecords(folder: string, logger: Logger): ProcessRecords {
  const adding = new Map<number, Promise<void>>();
  const fileOf = (pid: number): string => path.join(folder, `${pid}.json`);

  function read(name: string): ProcessRecord | null {
    try {
      return parseRecord(readFileSync(path.join(folder, name), 'utf8'));
    } catch (error) {
      // Half written when the power went: then the process is gone too.
      logger.warn({ name, error }, 'a record of a worker process cannot be read');
      return null;
    }
  }

  async function add(workerId: string, pid: number): Promise<void> {
    try {
      const mark = await startMark(pid);
      // Gone already, or not to be told from another process later: nothing that a sweep could end.
      if (mark === null) return;
      const record: ProcessRecord = { workerId, pid, mark };
      mkdirSync(folder, { recursive: true });
      writeFileSync(fileOf(pid), JSON.stringify(record));
    } catch (error) {
      // A full disk must not keep jobs from running; only a later sweep would miss this process.
      logger.warn({ workerId, pid, error }, 'a worker process could not be recorded');
    }
  }

  return {
    add(workerId, pid) {
      const added = add(workerId, pid);
      adding.set(pid, added);
      return added;
    },
    async remove(pid) {
      await adding.get(pid);
      adding.delete(pid);
      rmSync(fileOf(pid), { force: true });
    },
    async sweep() {
      mkdirSync(folder, { recursive: true });
      const records = readdirSync(folder).map((name) => ({ name, record: read(name) }));
      await Promise.all(
        records.map(async ({ name, record }) => {
          if (record !== null && (await stillRuns(record))) {
            logger.info({ workerId: record.workerId, pid: record.pid }, 'ending a worker of an earlier run');
            await killTree(record.pid);
          }
          if (record !== null) await killMarked(workerMark(record.workerId));
          rmSync(path.join(folder, name), { force: true });
        }),
      );
    },
  };
}
