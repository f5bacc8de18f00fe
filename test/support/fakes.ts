/** Fakes of the engine's ports for specs of its rules: a clock that is advanced by hand, and a store that commits when told. */
import type { JobRecord } from '../../main/engine/domain/job.ts';
import type { Clock, Ids, JobStore, Logger, Settled } from '../../main/engine/domain/ports.ts';

export interface FakeClock extends Clock {
  /** Runs whatever falls due in the next `ms` milliseconds, in order. */
  advance(ms: number): void;
  /** How many timers are set. */
  pending(): number;
}

export function createFakeClock(startAt = 1_800_000_000_000): FakeClock {
  let now = startAt;
  let count = 0;
  const timers = new Map<number, { at: number; run: () => void }>();
  return {
    now: () => now,
    elapsed: () => now - startAt + 1,
    after(ms, run) {
      const id = count++;
      timers.set(id, { at: now + ms, run });
      return () => timers.delete(id);
    },
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const due = [...timers].filter(([, { at }]) => at <= end).sort((a, b) => a[1].at - b[1].at || a[0] - b[0])[0];
        if (!due) break;
        const [id, { at, run }] = due;
        timers.delete(id);
        now = Math.max(now, at);
        run();
      }
      now = end;
    },
    pending: () => timers.size,
  };
}

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

export interface FakeJobStore extends JobStore {
  /** Commits what was written, in order; `fail` makes every one of those writes fail. */
  commit(fail?: Error): void;
  readonly rows: Map<number, JobRecord>;
}

const copy = (record: JobRecord): JobRecord => {
  const { seq, id, endpointId, submittedAt, retentionMs, executionTimeoutMs, lowPriority, ttlMs, status } = record;
  const { queuedAt, workerId, ownWorker, startedAt, finishedAt, delayTime, executionTime } = record;
  const { error, hasOutput, retries, lost, chunksRead } = record;
  return {
    ...{ seq, id, endpointId, submittedAt, retentionMs, executionTimeoutMs, lowPriority, ttlMs, status, queuedAt },
    ...{ workerId, ownWorker, startedAt, finishedAt, delayTime, executionTime, error, hasOutput, retries, lost },
    chunksRead,
  };
};

export function createFakeJobStore(from: FakeJobStore | null = null): FakeJobStore {
  const rows = from?.rows ?? new Map<number, JobRecord>();
  const bodies = new Map<number, string>();
  const outputs = new Map<number, string>();
  const chunkRows = new Map<number, { seq: number; text: string }>();
  let writes: { run: () => void; settled: Settled }[] = [];
  let lastSeq = Math.max(0, ...rows.keys());
  let lastRow = 0;
  const write = (run: () => void, settled: Settled): void => void writes.push({ run, settled });
  const update = (record: JobRecord): (() => void) => {
    const row = copy(record);
    return () => void rows.set(row.seq, row);
  };
  return {
    rows,
    commit(fail) {
      const batch = writes;
      writes = [];
      if (!fail) for (const { run } of batch) run();
      for (const { settled } of batch) settled(fail ?? null);
    },
    load: () => [...rows.values()].map(copy),
    loadChunkRows: () => [],
    reload: (seq) => {
      const row = rows.get(seq);
      return row ? copy(row) : null;
    },
    nextSeq: () => ++lastSeq,
    insert(record, body, _sealed, settled) {
      const put = update(record);
      write(() => {
        put();
        bodies.set(record.seq, body);
      }, settled);
    },
    update: (record, settled) => write(update(record), settled),
    finish(record, output, settled) {
      const put = update(record);
      write(() => {
        put();
        if (output !== null) outputs.set(record.seq, output);
      }, settled);
    },
    appendChunks(seq, texts, settled) {
      const first = lastRow + 1;
      lastRow += texts.length;
      write(() => texts.forEach((text, index) => chunkRows.set(first + index, { seq, text })), settled);
      return first;
    },
    dropChunks(seq, first, last, settled) {
      write(() => {
        for (let row = first; row <= last; row++) if (chunkRows.get(row)?.seq === seq) chunkRows.delete(row);
      }, settled);
    },
    remove: (seq, _chunks, settled) => write(() => void rows.delete(seq), settled),
    body: (seq) => bodies.get(seq)!,
    output: (seq) => outputs.get(seq) ?? null,
    chunks: (seq, from, to, limit) =>
      [...chunkRows]
        .filter(([row, chunk]) => row >= from && row <= to && chunk.seq === seq)
        .slice(0, limit)
        .map(([row, { text }]) => ({ row, text })),
  };
}
