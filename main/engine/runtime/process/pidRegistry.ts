/** Records running processes on disk, so that the next engine can end the processes of a killed one. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { Logger } from '../../domain/core/ports.ts';
import { killMarked, killTree } from './childProcess.ts';
import { groupMembers, hasVariable, startMark, type Variable } from './identity.ts';

/** The variable that only the processes of this worker have. */
export const workerMark = (workerId: string): Variable => ({ name: 'RUNPOD_POD_ID', value: workerId });

const processRecordSchema = z.object({
  workerId: z.string(),
  /** Process 1 is never a worker. */
  pid: z.int().min(2),
  /** See `startMark`. */
  mark: z.string(),
});
type ProcessRecord = z.infer<typeof processRecordSchema>;

/** Throws for a damaged record. */
const parseRecord = (text: string): ProcessRecord => processRecordSchema.parse(JSON.parse(text));

export interface ProcessRecords {
  add(workerId: string, pid: number): Promise<void>;
  remove(pid: number): Promise<void>;
  /** Kills the recorded processes that still run, and deletes their records. */
  sweep(): Promise<void>;
}

/** Whether the recorded process, or one of its descendants, still runs. */
async function stillRuns({ workerId, pid, mark }: ProcessRecord): Promise<boolean> {
  const now = await startMark(pid);
  if (now !== null) return now === mark;
  // The process has ended, but its group may continue. Linux can list its members.
  return process.platform === 'linux' && groupMembers(pid).some((member) => hasVariable(member, workerMark(workerId)));
}

/** One small file for each process: whenever the engine is killed, the other records are complete. */
export function createProcessRecords(folder: string, logger: Logger): ProcessRecords {
  const adding = new Map<number, Promise<void>>();
  const fileOf = (pid: number): string => path.join(folder, `${pid}.json`);

  function read(name: string): ProcessRecord | null {
    try {
      return parseRecord(readFileSync(path.join(folder, name), 'utf8'));
    } catch (error) {
      // The file was incomplete when the power failed: the process is gone too.
      logger.warn({ name, error }, 'a record of a worker process cannot be read');
      return null;
    }
  }

  async function add(workerId: string, pid: number): Promise<void> {
    try {
      const mark = await startMark(pid);
      // The process is gone, or cannot be identified later: a sweep could not end it.
      if (mark === null) return;
      const record: ProcessRecord = { workerId, pid, mark };
      mkdirSync(folder, { recursive: true });
      // An engine may be killed at any moment: a record is there as a whole, or not at all.
      const part = `${fileOf(pid)}.part`;
      writeFileSync(part, JSON.stringify(record));
      renameSync(part, fileOf(pid));
    } catch (error) {
      // A full disk must not prevent jobs; only a later sweep would miss this process.
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
