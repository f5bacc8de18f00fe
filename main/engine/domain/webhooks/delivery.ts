/** The record of one webhook delivery: its job, its address, and the outcome of each attempt. */
import type { JobStatus } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import { MASK } from '#contract/core/secretPatterns.ts';
import type { WebhookState } from '#contract/api/webhook.ts';

/** Times are wall-clock milliseconds since the epoch. */
export interface WebhookRecord {
  readonly seq: number;
  readonly id: string;
  readonly jobId: string;
  readonly endpointId: string;
  /** The address of the request. It may contain a password. */
  readonly url: string;
  readonly jobStatus: JobStatus;
  readonly createdAt: number;
  state: WebhookState;
  nextAttemptAt: number | null;
  finishedAt: number | null;
  /** The attempts of the current or last series. */
  tries: number;
  /** Characters of the payload; 0 once the payload is deleted. */
  payloadLength: number;
  /** The newest attempts of all series, oldest first. */
  attempts: readonly WebhookAttempt[];
}

/** A delivery whose series of attempts is running, or whose end is not stored yet. */
export interface Delivery extends WebhookRecord {
  /** Scheme, host and port of the address. */
  readonly receiver: string;
  /** The number of sender slots that an attempt takes: more for a long payload. */
  readonly slots: number;
}

export const createDelivery = (record: WebhookRecord): Delivery => ({
  ...record,
  receiver: new URL(record.url).origin,
  slots: 1 + Math.floor(record.payloadLength / limits.webhook.slotLength),
});

export interface WebhookAttempt {
  readonly at: number;
  readonly tookMs: number;
  readonly status: number | null;
  readonly error: string | null;
}

/**
 * The id of a delivery. It contains the number of its row, so no index is needed. `random`: text that nobody can guess.
 */
export const webhookId = (seq: number, random: string): string => `whd_${seq.toString(36)}_${random}`;

/** The row number in an id; null for a malformed id. */
export function seqOfWebhookId(id: string): number | null {
  const [, seq] = /^whd_([0-9a-z]{1,10})_[0-9a-f]+$/.exec(id) ?? [];
  return seq === undefined ? null : Number.parseInt(seq, 36);
}

/** Replaces an address that is encrypted with a missing key. */
export const UNREADABLE_URL = '(encrypted with a key that is not there)';

/** The address for people and logs, without its user name and password. */
export function maskedUrl(url: string): string {
  if (url === UNREADABLE_URL) return url;
  const { protocol, username, password, host, pathname, search, hash } = new URL(url);
  if (username === '' && password === '') return url;
  return `${protocol}//${MASK}@${host}${pathname}${search}${hash}`;
}
