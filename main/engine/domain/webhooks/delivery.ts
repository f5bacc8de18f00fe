/** The record of one webhook delivery: its job, its address, and the outcome of each attempt. */
import type { JobStatus } from '#contract/api/job.ts';
import { MASK } from '#contract/core/secretPatterns.ts';
import type { WebhookState } from '#contract/api/webhook.ts';

/** Times are wall-clock milliseconds since the epoch. */
export interface WebhookRecord {
  readonly seq: number;
  readonly id: string;
  readonly jobId: string;
  readonly endpointId: string;
  /** As it was sent; it may carry a password. */
  readonly url: string;
  readonly jobStatus: JobStatus;
  readonly createdAt: number;
  state: WebhookState;
  nextAttemptAt: number | null;
  finishedAt: number | null;
  /** Attempts of the series that is under way, or was last. */
  tries: number;
  /** In characters; 0 once it is no longer kept. */
  payloadLength: number;
  /** The newest of all series, oldest first. */
  attempts: readonly WebhookAttempt[];
}

export interface WebhookAttempt {
  readonly at: number;
  readonly tookMs: number;
  readonly status: number | null;
  readonly error: string | null;
}

/** An id tells its row, so that it is found without an index. `random`: what nobody can guess. */
export const webhookId = (seq: number, random: string): string => `whd_${seq.toString(36)}_${random}`;

/** The row an id speaks of; null when it is no such id. */
export function seqOfWebhookId(id: string): number | null {
  const [, seq] = /^whd_([0-9a-z]{1,10})_[0-9a-f]+$/.exec(id) ?? [];
  return seq === undefined ? null : Number.parseInt(seq, 36);
}

/** In place of an address that is kept encrypted with a key that is not there. */
export const UNREADABLE_URL = '(encrypted with a key that is not there)';

/** The address for people and logs: without the name and password it may carry. */
export function maskedUrl(url: string): string {
  if (url === UNREADABLE_URL) return url;
  const { protocol, username, password, host, pathname, search, hash } = new URL(url);
  if (username === '' && password === '') return url;
  return `${protocol}//${MASK}@${host}${pathname}${search}${hash}`;
}
