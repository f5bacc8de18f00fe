/** Fakes of the ports of webhooks: a store that commits when told, and a poster whose receivers answer when told. */
import type { CommitCallback } from '../../../main/engine/domain/core/commits.ts';
import type {
  WebhookOutcome,
  WebhookPost,
  WebhookPoster,
  WebhookStore,
} from '../../../main/engine/domain/webhooks/ports.ts';
import type { JsonParts } from '../../../main/engine/domain/jobs/payload/payloadRef.ts';
import type { WebhookRecord } from '../../../main/engine/domain/webhooks/delivery.ts';

export interface FakeWebhookStore extends WebhookStore {
  /** Commits what was written, in order; `fail` makes every one of those writes fail. */
  commit(fail?: Error): void;
  readonly rows: Map<number, WebhookRecord>;
  readonly payloads: Map<number, JsonParts>;
}

const copy = (record: WebhookRecord): WebhookRecord => {
  const { seq, id, jobId, endpointId, url, jobStatus, createdAt, state, nextAttemptAt, finishedAt } = record;
  const { tries, payloadLength, attempts } = record;
  return {
    seq,
    id,
    jobId,
    endpointId,
    url,
    jobStatus,
    createdAt,
    state,
    nextAttemptAt,
    finishedAt,
    tries,
    payloadLength,
    attempts: [...attempts],
  };
};

export function createFakeWebhookStore(from: FakeWebhookStore | null = null): FakeWebhookStore {
  const rows = from?.rows ?? new Map<number, WebhookRecord>();
  const payloads = from?.payloads ?? new Map<number, JsonParts>();
  let writes: { run: () => void; settled: CommitCallback }[] = [];
  let lastSeq = Math.max(0, ...rows.keys());
  const write = (run: () => void, settled: CommitCallback): void => void writes.push({ run, settled });
  const all = (): WebhookRecord[] => [...rows.values()].map(copy);
  return {
    rows,
    payloads,
    commit(fail) {
      const batch = writes;
      writes = [];
      if (!fail) for (const { run } of batch) run();
      for (const { settled } of batch) settled(fail ?? null);
    },
    loadPending: () => all().filter(({ state }) => state === 'pending'),
    loadEnded: () =>
      all()
        .filter(({ state }) => state !== 'pending')
        .sort((a, b) => a.finishedAt! - b.finishedAt! || a.seq - b.seq)
        .map(({ seq, finishedAt, payloadLength }) => ({ seq, finishedAt: finishedAt!, payloadLength })),
    nextSeq: () => ++lastSeq,
    inserting(record, payload) {
      const row = copy(record);
      return {
        write: () => {
          rows.set(row.seq, row);
          payloads.set(row.seq, payload);
        },
        failed: () => undefined,
      };
    },
    update(record, settled) {
      const row = copy(record);
      write(() => void rows.set(row.seq, row), settled);
    },
    dropPayloads(seqs, settled) {
      write(() => {
        for (const seq of seqs) {
          payloads.delete(seq);
          rows.get(seq)!.payloadLength = 0;
        }
      }, settled);
    },
    remove(seqs, settled) {
      write(() => {
        for (const seq of seqs) {
          payloads.delete(seq);
          rows.delete(seq);
        }
      }, settled);
    },
    find: (seq) => {
      const row = rows.get(seq);
      return row ? copy(row) : null;
    },
    list: ({ limit = 100 }) => all().reverse().slice(0, limit),
    payload: (seq) => payloads.get(seq) ?? null,
  };
}

export interface FakeCall extends WebhookPost {
  /** The payload, of texts only. */
  readonly text: string;
  answer(outcome: Partial<WebhookOutcome>): void;
}

export interface FakePoster extends WebhookPoster {
  /** Every call so far, oldest first. */
  readonly calls: FakeCall[];
  /** Calls that are not answered yet. */
  open(): FakeCall[];
}

export function createFakePoster(): FakePoster {
  const calls: FakeCall[] = [];
  const unanswered = new Set<FakeCall>();
  return {
    calls,
    open: () => [...unanswered],
    post(post, done) {
      const call: FakeCall = {
        ...post,
        text: post.payload.join(''),
        answer({ status = null, error = null }) {
          if (unanswered.delete(call)) done({ status, error });
        },
      };
      calls.push(call);
      unanswered.add(call);
    },
    stop: () => unanswered.clear(),
  };
}
