/** The history of ended webhook deliveries, limited by number, by age and by the total length of their payloads. */
import { limits } from '#contract/core/limits.ts';
import type { Cancel, Clock, Logger } from '../core/ports.ts';
import type { CommitCallback } from '../core/commits.ts';
import type { WebhookStore } from './ports.ts';
import type { WebhookRecord } from './delivery.ts';

const { kept: maxKept, retentionMs, storedPayloadLength } = limits.webhook;

/** The deletions in one write: a start after a long time must not block other writes. */
const AT_ONCE = 200;

export interface WebhookHistory {
  /** Reads the history of an earlier engine. Called once. */
  start(): void;
  /** Adds a delivery that has ended. The oldest ones are deleted when they exceed a limit. */
  ended(record: Pick<WebhookRecord, 'seq' | 'finishedAt' | 'payloadLength'>): void;
  /** Removes a delivery that begins again. */
  forget(seq: number): void;
  stop(): void;
}

export function createWebhookHistory(clock: Clock, store: WebhookStore, logger: Logger): WebhookHistory {
  /** The end of each delivery, milliseconds since the epoch, oldest first. */
  const endedAt = new Map<number, number>();
  /** The length of each stored payload, oldest first. */
  const payloads = new Map<number, number>();
  let payloadLength = 0;
  let timer: Cancel | null = null;
  let running = false;

  const logged: CommitCallback = (error) => {
    if (error) logger.error({ err: error }, 'old webhook deliveries could not be removed');
  };

  function forgetPayload(seq: number): void {
    payloadLength -= payloads.get(seq) ?? 0;
    payloads.delete(seq);
  }

  function trim(): void {
    const expired = clock.now() - retentionMs;
    const removed: number[] = [];
    for (const [seq, at] of endedAt) {
      if ((at > expired && endedAt.size <= maxKept) || removed.length === AT_ONCE) break;
      endedAt.delete(seq);
      forgetPayload(seq);
      removed.push(seq);
    }
    if (removed.length > 0) store.remove(removed, logged);
    const dropped: number[] = [];
    for (const seq of payloads.keys()) {
      if (payloadLength <= storedPayloadLength || dropped.length === AT_ONCE) break;
      forgetPayload(seq);
      dropped.push(seq);
    }
    if (dropped.length > 0) store.dropPayloads(dropped, logged);
    arm();
  }

  function arm(): void {
    const [first] = endedAt.values();
    if (!running || timer || first === undefined) return;
    timer = clock.after(Math.max(0, first + retentionMs - clock.now()), () => {
      timer = null;
      trim();
    });
  }

  function note(seq: number, at: number, length: number): void {
    endedAt.set(seq, at);
    if (length === 0) return;
    payloads.set(seq, length);
    payloadLength += length;
  }

  return {
    start() {
      running = true;
      for (const { seq, finishedAt, payloadLength: length } of store.loadEnded()) note(seq, finishedAt, length);
      trim();
    },
    ended(record) {
      note(record.seq, record.finishedAt ?? clock.now(), record.payloadLength);
      trim();
    },
    forget(seq) {
      endedAt.delete(seq);
      forgetPayload(seq);
    },
    stop() {
      running = false;
      timer?.();
    },
  };
}
