/** Where webhook deliveries are stored, and who sends them. */
import type { WebhookQuery } from '#contract/api/webhook.ts';
import type { JsonParts } from '../jobs/payload/payloadRef.ts';
import type { WebhookRecord } from './delivery.ts';
import type { CommitCallback, Urgency } from '../core/commits.ts';

/** Webhook deliveries on disk, written as jobs are: collected, committed together, told after the commit. */
export interface WebhookStore {
  /** Those with an attempt to come, for the start. */
  loadPending(): WebhookRecord[];
  /** The others in the order of their end, for the start. */
  loadEnded(): { seq: number; finishedAt: number; payloadLength: number }[];
  nextSeq(): number;
  /** `write` makes the rows of a new delivery, inside a transaction of somebody else; `failed` is for when that did not succeed. */
  inserting(record: WebhookRecord, payload: JsonParts): { write(): void; failed(error: unknown): void };
  update(record: WebhookRecord, settled: CommitCallback, urgency?: Urgency): void;
  /** Forgets what was sent; the delivery stays listed. */
  dropPayloads(seqs: number[], settled: CommitCallback): void;
  remove(seqs: number[], settled: CommitCallback): void;
  find(seq: number): WebhookRecord | null;
  /** Newest first. */
  list(query: WebhookQuery): WebhookRecord[];
  /** Null when it was dropped. */
  payload(seq: number): JsonParts | null;
}

export interface WebhookPost {
  url: string;
  payload: JsonParts;
  deliveryId: string;
  /** Counts from 1 over all attempts of the delivery. */
  attempt: number;
}

/** `status`: what was answered, null when nothing was. `error`: why it does not count as delivered, for a person. */
export interface WebhookOutcome {
  status: number | null;
  error: string | null;
}

/** Calls the receivers of webhooks. */
export interface WebhookPoster {
  /** Makes one attempt and tells its outcome once, within the time an attempt may take. Never throws. */
  post(post: WebhookPost, done: (outcome: WebhookOutcome) => void): void;
  /** Cuts all that is under way; its outcome is not told. */
  stop(): void;
}
