/** The interfaces of webhooks: storage and sender. */
import type { WebhookQuery } from '#contract/api/webhook.ts';
import type { JsonParts } from '../jobs/payload/payloadRef.ts';
import type { WebhookRecord } from './delivery.ts';
import type { CommitCallback, Urgency } from '../core/commits.ts';

/** Stores webhook deliveries. Writes are collected and committed together; callbacks run after the commit. */
export interface WebhookStore {
  /** The pending deliveries, for the start. */
  loadPending(): WebhookRecord[];
  /** The ended deliveries in the order of their end, for the start. */
  loadEnded(): { seq: number; finishedAt: number; payloadLength: number }[];
  nextSeq(): number;
  /**
   * `write` inserts the rows of a new delivery into the caller's transaction; `failed` is called when that transaction
   * fails.
   */
  inserting(record: WebhookRecord, payload: JsonParts): { write(): void; failed(error: unknown): void };
  update(record: WebhookRecord, settled: CommitCallback, urgency?: Urgency): void;
  /** Deletes the payloads; the deliveries stay listed. */
  dropPayloads(seqs: number[], settled: CommitCallback): void;
  remove(seqs: number[], settled: CommitCallback): void;
  find(seq: number): WebhookRecord | null;
  /** Newest first. */
  list(query: WebhookQuery): WebhookRecord[];
  /** Null when it was deleted. */
  payload(seq: number): JsonParts | null;
}

export interface WebhookPost {
  url: string;
  payload: JsonParts;
  deliveryId: string;
  /** Counts from 1 over all attempts of the delivery. */
  attempt: number;
}

/**
 * `status`: the HTTP status of the answer, null without an answer. `error`: why the attempt failed, for a person; null
 * on success.
 */
export interface WebhookOutcome {
  status: number | null;
  error: string | null;
}

/** Sends webhooks. */
export interface WebhookPoster {
  /** Makes one attempt and calls `done` once, within the time limit of an attempt. Never throws. */
  post(post: WebhookPost, done: (outcome: WebhookOutcome) => void): void;
  /** Aborts all running attempts; their `done` is not called. */
  stop(): void;
}
