/** How much is remembered of webhook deliveries that have ended: so many, for so long, and what they had sent while there is room. */
import { limits } from '#contract/core/limits.ts';
import type { Cancel, Clock, Logger } from '../core/ports.ts';
import type { CommitCallback } from '../core/commits.ts';
import type { WebhookStore } from './ports.ts';
import type { WebhookRecord } from './delivery.ts';

const { kept: maxKept, keptMs, keptPayloadLength } = limits.webhook;

/** Removed in one write: a week's worth at a start must not hold up anybody else. */
const AT_ONCE = 200;

export interface WebhookLog {
  /** Takes up what an earlier engine has left. Called once. */
  start(): void;
  /** A delivery is over. Older ones go when it takes their room. */
  ended(record: Pick<WebhookRecord, 'seq' | 'finishedAt' | 'payloadLength'>): void;
  /** It has begun anew. */
  forget(seq: number): void;
  stop(): void;
}

export function createWebhookLog(clock: Clock, store: WebhookStore, logger: Logger): WebhookLog {
  /** When each one ended, oldest first. */
  const endedAt = new Map<number, number>();
  /** Length of what each one had sent, where that is kept, oldest first. */
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
    const expired = clock.now() - keptMs;
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
      if (payloadLength <= keptPayloadLength || dropped.length === AT_ONCE) break;
      forgetPayload(seq);
      dropped.push(seq);
    }
    if (dropped.length > 0) store.dropPayloads(dropped, logged);
    arm();
  }

  function arm(): void {
    const [first] = endedAt.values();
    if (!running || timer || first === undefined) return;
    timer = clock.after(Math.max(0, first + keptMs - clock.now()), () => {
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
