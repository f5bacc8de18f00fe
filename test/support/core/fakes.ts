/**
 * Fakes of the engine's ports for specs of its rules: a clock that is advanced by hand, and a store that commits when
 * told.
 */
import { recordOf, type JobRecord } from '../../../main/engine/domain/jobs/jobFields.ts';
import type { Ids, Logger } from '../../../main/engine/domain/core/ports.ts';
import type { JobStore } from '../../../main/engine/domain/jobs/ports.ts';
import type { CommitCallback } from '../../../main/engine/domain/core/commits.ts';
import type { JsonText } from '../../../main/engine/domain/jobs/payload/payloadRef.ts';

export { createFakeClock, type FakeClock } from './fakeClock.ts';

/** Ids that count up; the digest is the secret turned round. */
export function createFakeIds(): Ids {
  let count = 0;
  return {
    random: (bytes) => {
      let text = '';
      while (text.length < bytes * 2) text += (++count).toString(16).padStart(8, '0');
      return text.slice(0, bytes * 2);
    },
    digest: (secret) => secret.split('').reverse().join(''),
  };
}

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

interface Disk {
  readonly rows: Map<number, JobRecord>;
  readonly bodies: Map<number, JsonText>;
  readonly outputs: Map<number, JsonText>;
  readonly chunks: Map<number, { seq: number; text: string }>;
}

export interface FakeJobStore extends JobStore {
  readonly disk: Disk;
  /** Commits what was written, in order; `fail` makes every one of those writes fail. */
  commit(fail?: Error): void;
  /** Commits until nothing waits any more, nor is put off. */
  commitAll(): void;
  /** How many writes wait for a commit. */
  waiting(): number;
  /** The end of its process: of what waits, the first `kept` are on disk, and nobody is told. */
  crash(writesOnDisk: number): void;
  readonly rows: Map<number, JobRecord>;
}

/** Where the chunks of each job are. */
function chunkRowsOf({ rows, chunks }: Disk): ReturnType<JobStore['loadChunkRows']> {
  const logs = new Map<number, { seq: number; firstRow: number; lastRow: number; readRow: number; total: number }>();
  for (const [row, { seq }] of chunks) {
    let log = logs.get(seq);
    if (!log) logs.set(seq, (log = { seq, firstRow: row, lastRow: row, readRow: row, total: 0 }));
    if (log.total === (rows.get(seq)?.chunksRead ?? 0)) log.readRow = row;
    log.total++;
    log.lastRow = row;
  }
  for (const log of logs.values()) {
    if (log.total <= (rows.get(log.seq)?.chunksRead ?? 0)) log.readRow = log.lastRow + 1;
  }
  return [...logs.values()];
}

/** `from`: another store whose committed rows this one begins with, as an engine that is started again does. */
export function createFakeJobStore(from: FakeJobStore | null = null): FakeJobStore {
  const disk: Disk = from?.disk ?? { rows: new Map(), bodies: new Map(), outputs: new Map(), chunks: new Map() };
  const { rows, bodies, outputs, chunks } = disk;
  let writes: { run: () => void; settled: CommitCallback }[] = [];
  /** What is put off takes part in the commit after the next. */
  let later: (() => void)[] = [];
  let lastSeq = Math.max(0, ...rows.keys(), ...[...rows.values()].map(({ rank }) => Math.ceil(rank ?? 0)));
  let lastRow = Math.max(0, ...chunks.keys());
  const write = (run: () => void, settled: CommitCallback): void => void writes.push({ run, settled });
  const update = (record: JobRecord): (() => void) => {
    const row = recordOf(record);
    return () => {
      if (rows.has(row.seq)) rows.set(row.seq, row);
    };
  };
  const dropChunks = (seq: number, { firstRow, lastRow: last }: { firstRow: number; lastRow: number }): void => {
    for (let row = firstRow; row <= last; row++) if (chunks.get(row)?.seq === seq) chunks.delete(row);
  };
  return {
    disk,
    rows,
    commit(fail) {
      const batch = writes;
      writes = [];
      if (!fail) for (const { run } of batch) run();
      for (const { settled } of batch) settled(fail ?? null);
      const brought = later;
      later = [];
      for (const bring of brought) bring();
    },
    commitAll() {
      while (this.waiting() > 0) this.commit();
    },
    waiting: () => writes.length + later.length,
    crash(writesOnDisk) {
      for (const { run } of writes.slice(0, writesOnDisk)) run();
      writes = [];
      later = [];
    },
    load: () => [...rows.values()].map(recordOf),
    loadChunkRows: () => chunkRowsOf(disk),
    reload: (seq) => {
      const row = rows.get(seq);
      return row ? recordOf(row) : null;
    },
    nextSeq: () => ++lastSeq,
    insert(record, body, _sealed, settled) {
      const row = recordOf(record);
      write(() => {
        rows.set(row.seq, row);
        bodies.set(row.seq, body);
      }, settled);
    },
    update: (record, settled) => write(update(record), settled),
    updateLater(record, settled) {
      const { status, retries } = record;
      later.push(() => {
        if (record.status === status && record.retries === retries) write(update(record), settled);
        else settled(null);
      });
    },
    finish(record, output, settled, alongside) {
      const put = update(record);
      write(() => {
        put();
        if (output !== null) outputs.set(record.seq, output);
        alongside?.();
      }, settled);
    },
    finishAll(records, settled) {
      const puts = records.map(update);
      write(() => puts.forEach((put) => put()), settled);
    },
    restart(record, chunkRows, settled) {
      const put = update(record);
      const gone = chunkRows && { ...chunkRows };
      write(() => {
        put();
        outputs.delete(record.seq);
        if (gone) dropChunks(record.seq, gone);
      }, settled);
    },
    appendChunks(seq, texts, settled) {
      const first = lastRow + 1;
      lastRow += texts.length;
      write(() => texts.forEach((text, index) => chunks.set(first + index, { seq, text })), settled);
      return first;
    },
    remove(seq, chunkRows, settled) {
      write(() => {
        rows.delete(seq);
        bodies.delete(seq);
        outputs.delete(seq);
        if (chunkRows) dropChunks(seq, chunkRows);
      }, settled);
    },
    body: (seq) => bodies.get(seq)!,
    output: (seq) => outputs.get(seq) ?? null,
    hold: () => undefined,
    discard: () => undefined,
    chunks(seq, from, to, limit) {
      const chunksOfJob: { row: number; text: string }[] = [];
      for (let row = from; row <= to && chunksOfJob.length < limit; row++) {
        const chunk = chunks.get(row);
        if (chunk?.seq !== seq) continue;
        chunksOfJob.push({ row, text: chunk.text });
      }
      return chunksOfJob;
    },
  };
}
