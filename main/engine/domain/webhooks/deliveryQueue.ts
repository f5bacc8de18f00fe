/**
 * Telling of the ends of jobs: who is told what, how often it is tried, and how long all that is remembered.
 *
 * A delivery is written with the end of its job and begun after that commit. The number of attempts made and the time of the
 * next one are on disk: an engine that restarts goes on from there. An attempt that was under way when the engine went down
 * is made again.
 */
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { defaultLimits, type LimitSettings } from '#contract/local/settings.ts';
import type { WebhookQuery } from '#contract/api/webhook.ts';
import type { WebhookPlanner } from '../jobs/ports.ts';
import type { Cancel, Clock, Ids, Logger } from '../core/ports.ts';
import type { CommitCallback } from '../core/commits.ts';
import type { WebhookOutcome, WebhookPoster, WebhookStore } from './ports.ts';
import { answering, createReceivers, doubtful } from './fairScheduler.ts';
import type { JsonParts, JsonText } from '../jobs/payload/payloadRef.ts';
import { maskedUrl, seqOfWebhookId, UNREADABLE_URL, webhookId, type WebhookRecord } from './delivery.ts';
import { createWebhookLog } from './history.ts';
import { payloadLengthOf, webhookPayload } from './payload.ts';

const { slotLength, startsPerTurn, attemptsKept } = limits.webhook;

export interface WebhooksOptions {
  /** How often, and how far apart, is tried again; as limits.ts says unless told otherwise. */
  tries?(): LimitSettings['webhook'];
  clock: Clock;
  ids: Ids;
  store: WebhookStore;
  poster: WebhookPoster;
  logger: Logger;
}

export interface Webhooks extends WebhookPlanner {
  /** Begins to call, with what an earlier engine on this data folder left pending. Called once, when the start cannot fail any more. */
  start(): void;
  /** As far as it is committed; NOT_FOUND when there is none. */
  get(id: string): WebhookRecord;
  /** The committed deliveries, newest first. */
  list(query: WebhookQuery): WebhookRecord[];
  /**
   * Begins a new series of attempts for a delivery that has ended. NOT_FOUND; CONFLICT while it is pending, or when what was
   * sent is no longer kept.
   */
  redeliver(id: string, settled: (error: unknown, record: WebhookRecord) => void): void;
  /** Begins no more attempts. Those under way go on until the poster is stopped. */
  stop(): void;
}

interface Delivery extends WebhookRecord {
  readonly receiver: string;
  readonly slots: number;
}

const createDelivery = (record: WebhookRecord): Delivery => ({
  ...record,
  receiver: new URL(record.url).origin,
  slots: 1 + Math.floor(record.payloadLength / slotLength),
});

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { clock, ids, store, poster, logger, tries = () => defaultLimits().webhook } = options;
  const receivers = createReceivers<Delivery>();
  /** Pending ones, and those whose end is not on disk yet. */
  const live = new Map<number, Delivery>();
  /**
   * When who is tried again, by the clock that never runs backwards, the first due first. Whose
   * end could not be stored waits here as well, for that.
   */
  const gaps = new Map<Delivery, number>();
  let lastDueAt = 0;
  const log = createWebhookLog(clock, store, logger);
  let timer: Cancel | null = null;
  let turn: Cancel | null = null;
  let running = false;

  /** A few at a time, of receivers that may hang one, so that many at once hold up nobody else's turn. */
  function begin(): void {
    if (!running || turn) return;
    turn = clock.after(0, () => {
      turn = null;
      let begun = 0;
      const beginNext = (kinds: typeof answering): boolean => {
        const delivery = receivers.next(kinds);
        if (delivery) {
          begun++;
          attempt(delivery);
        }
        return delivery !== null;
      };
      beginNext(doubtful);
      while (begun < startsPerTurn && beginNext(answering));
      if (begun === 0) return;
      begin();
    });
  }

  function later(delivery: Delivery): void {
    const dueAt = clock.elapsed() + tries().gapMs;
    gaps.set(delivery, dueAt);
    // All wait equally long, unless the settings were changed meanwhile.
    if (dueAt < lastDueAt) {
      const inOrder = [...gaps].sort(([, one], [, other]) => one - other);
      gaps.clear();
      for (const [each, at] of inOrder) gaps.set(each, at);
      timer?.();
      timer = null;
    }
    lastDueAt = Math.max(lastDueAt, dueAt);
    arm();
  }

  function arm(): void {
    const [first] = gaps.values();
    if (!running || timer || first === undefined) return;
    timer = clock.after(Math.max(0, first - clock.elapsed()), () => {
      timer = null;
      const now = clock.elapsed();
      for (const [delivery, dueAt] of gaps) {
        if (dueAt > now) break;
        gaps.delete(delivery);
        if (delivery.state === 'pending') receivers.add(delivery);
        else save(delivery);
      }
      begin();
      arm();
    });
  }

  function attempt(delivery: Delivery): void {
    const at = clock.now();
    const startedElapsed = clock.elapsed();
    const over = (outcome: WebhookOutcome): void => {
      const tookMs = Math.max(0, Math.round(clock.elapsed() - startedElapsed));
      receivers.over(delivery, tookMs);
      delivery.attempts = [...delivery.attempts, { at, tookMs, ...outcome }].slice(-attemptsKept);
      delivery.tries++;
      settle(delivery, outcome.error === null);
      begin();
    };
    let payload: JsonParts | null;
    try {
      payload = store.payload(delivery.seq);
    } catch (error) {
      logger.error({ err: error, delivery: delivery.id }, 'what a webhook is to be sent could not be read');
      payload = null;
    }
    if (payload === null) {
      over({ status: null, error: 'What was to be sent could not be read from the disk.' });
      return;
    }
    poster.post({ url: delivery.url, payload, deliveryId: delivery.id, attempt: delivery.attempts.length + 1 }, over);
  }

  function settle(delivery: Delivery, delivered: boolean): void {
    const now = clock.now();
    const { retries, gapMs } = tries();
    if (!delivered && delivery.tries <= retries) {
      delivery.nextAttemptAt = now + gapMs;
      later(delivery);
    } else {
      delivery.state = delivered ? 'delivered' : 'failed';
      delivery.nextAttemptAt = null;
      delivery.finishedAt = now;
      const { id, jobId, url } = delivery;
      if (!delivered) logger.info({ delivery: id, jobId, url: maskedUrl(url) }, 'a webhook was called in vain');
    }
    save(delivery);
  }

  function save(delivery: Delivery): void {
    const settled: CommitCallback = (error) => {
      if (error) logger.error({ err: error, delivery: delivery.id }, 'could not store how a webhook went');
      // A series that has begun meanwhile writes what it finds.
      if (delivery.state === 'pending' || live.get(delivery.seq) !== delivery) return;
      if (error) {
        later(delivery);
        return;
      }
      live.delete(delivery.seq);
      log.ended(delivery);
    };
    store.update(delivery, settled, 'soon');
  }

  function find(id: string): WebhookRecord {
    const seq = seqOfWebhookId(id);
    const record = seq === null ? null : store.find(seq);
    if (record?.id !== id) {
      throw new AppError('NOT_FOUND', `There is no webhook delivery ${JSON.stringify(id)}, or it is no longer listed.`);
    }
    return record;
  }

  function start(): void {
    running = true;
    log.start();
    for (const record of store.loadPending().sort((a, b) => a.nextAttemptAt! - b.nextAttemptAt!)) {
      if (live.has(record.seq)) continue;
      const delivery = createDelivery(record);
      live.set(delivery.seq, delivery);
      // However the clock was set meanwhile: nobody waits longer than the gap.
      const leftMs = Math.min(tries().gapMs, delivery.nextAttemptAt! - clock.now());
      if (leftMs > 0) gaps.set(delivery, clock.elapsed() + leftMs);
      else receivers.add(delivery);
    }
    arm();
    begin();
  }

  return {
    start,
    planDelivery(job, body, output) {
      if (job.webhook === null || job.status === 'CANCELLED') return null;
      let sent: JsonText | null = null;
      try {
        sent = body();
      } catch (error) {
        logger.warn({ err: error, jobId: job.id }, 'the input of a job could not be read for its webhook');
      }
      const payload = webhookPayload(job, sent, output);
      const now = clock.now();
      const seq = store.nextSeq();
      const delivery = createDelivery({
        seq,
        id: webhookId(seq, ids.random(8)),
        jobId: job.id,
        endpointId: job.endpointId,
        url: job.webhook,
        jobStatus: job.status,
        createdAt: now,
        state: 'pending',
        nextAttemptAt: now,
        finishedAt: null,
        tries: 0,
        payloadLength: payloadLengthOf(payload),
        attempts: [],
      });
      return {
        ...store.inserting(delivery, payload),
        begin() {
          live.set(seq, delivery);
          receivers.add(delivery);
          begin();
        },
      };
    },
    get: find,
    list: (query) => store.list(query),
    redeliver(id, settled) {
      const record = find(id);
      const before = live.get(record.seq) ?? record;
      if (before.url === UNREADABLE_URL) {
        throw new AppError(
          'FORBIDDEN',
          'The address of this delivery is encrypted with a key that is not there. Unlock the place where Hangar keeps its keys, and restart the engine.',
        );
      }
      if (before.state === 'pending') {
        throw new AppError('CONFLICT', 'This delivery is pending: its next attempt comes by itself.');
      }
      if (before.payloadLength === 0) {
        throw new AppError(
          'CONFLICT',
          'What this delivery sent is no longer kept: newer deliveries have taken its room. It cannot be sent again.',
        );
      }
      const again = createDelivery({
        ...before,
        state: 'pending',
        nextAttemptAt: clock.now(),
        finishedAt: null,
        tries: 0,
      });
      live.set(again.seq, again);
      log.forget(again.seq);
      store.update(again, (error) => {
        if (error) {
          live.delete(again.seq);
          log.ended(before);
        } else {
          receivers.add(again);
          begin();
        }
        settled(error, again);
      });
    },
    stop() {
      running = false;
      timer?.();
      turn?.();
      log.stop();
    },
  };
}
