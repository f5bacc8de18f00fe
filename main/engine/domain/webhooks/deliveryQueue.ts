/**
 * The delivery of webhooks at the end of jobs: it schedules attempts, retries them and keeps a history.
 *
 * A delivery is stored in the same transaction as the end of its job, and begins after the commit. The number of
 * attempts and the time of the next one are stored, so a restarted engine continues there. It repeats an attempt that
 * the restart interrupted.
 */
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { defaultLimits, type LimitSettings } from '#contract/local/settings.ts';
import type { WebhookQuery } from '#contract/api/webhook.ts';
import type { WebhookPlanner } from '../jobs/ports.ts';
import type { Clock, Ids, Logger } from '../core/ports.ts';
import type { CommitCallback } from '../core/commits.ts';
import type { WebhookPoster, WebhookStore } from './ports.ts';
import type { Job } from '../jobs/jobRecord.ts';
import type { JsonParts, JsonText } from '../jobs/payload/payloadRef.ts';
import {
  createDelivery,
  maskedUrl,
  seqOfWebhookId,
  UNREADABLE_URL,
  webhookId,
  type Delivery,
  type WebhookRecord,
} from './delivery.ts';
import { createWebhookHistory } from './history.ts';
import { payloadLengthOf, webhookPayload } from './payload.ts';
import { createDueTimer } from './dueTimer.ts';
import { createSender } from './sender.ts';

export interface WebhooksOptions {
  /** The number of retries and the pause between them. Without it, the defaults of limits.ts apply. */
  tries?(): LimitSettings['webhook'];
  clock: Clock;
  ids: Ids;
  store: WebhookStore;
  poster: WebhookPoster;
  logger: Logger;
}

export interface Webhooks extends WebhookPlanner {
  /**
   * Begins to send, with the pending deliveries of an earlier engine. Called once, when the start can no longer fail.
   */
  start(): void;
  /** The delivery in its last committed state. Throws NOT_FOUND for an unknown id. */
  get(id: string): WebhookRecord;
  /** The committed deliveries, newest first. */
  list(query: WebhookQuery): WebhookRecord[];
  /**
   * Begins a new series of attempts for a delivery that has ended. Throws NOT_FOUND for an unknown id; CONFLICT while
   * the delivery is pending or when its payload is deleted.
   */
  redeliver(id: string, settled: (error: unknown, record: WebhookRecord) => void): void;
  /** Begins no more attempts. Running attempts continue until the poster stops. */
  stop(): void;
}

/** Throws NOT_FOUND where no committed delivery has this id. */
function findRecord(store: WebhookStore, id: string): WebhookRecord {
  const seq = seqOfWebhookId(id);
  const record = seq === null ? null : store.find(seq);
  if (record?.id !== id) {
    throw new AppError('NOT_FOUND', `There is no webhook delivery ${JSON.stringify(id)}, or it is no longer listed.`);
  }
  return record;
}

/** Throws where the delivery cannot be sent again: CONFLICT, or FORBIDDEN where its address cannot be decrypted. */
function checkRedeliverable(record: WebhookRecord): void {
  if (record.url === UNREADABLE_URL) {
    throw new AppError(
      'FORBIDDEN',
      'The address of this delivery is encrypted with a key that is not there. Unlock the place where Hangar keeps its keys, and restart the engine.',
    );
  }
  if (record.state === 'pending') {
    throw new AppError('CONFLICT', 'This delivery is pending: its next attempt comes by itself.');
  }
  if (record.payloadLength === 0) {
    throw new AppError(
      'CONFLICT',
      'What this delivery sent is no longer kept: newer deliveries have taken its room. It cannot be sent again.',
    );
  }
}

/** The request body of the job; null where it is unreadable. */
function readBody(job: Job, body: () => JsonText, logger: Logger): JsonText | null {
  try {
    return body();
  } catch (error) {
    logger.warn({ err: error, jobId: job.id }, 'the input of a job could not be read for its webhook');
    return null;
  }
}

/** A delivery for the end of a job, due at once. */
const newDelivery = (
  { seq, id, url, createdAt }: Pick<WebhookRecord, 'seq' | 'id' | 'url' | 'createdAt'>,
  job: Job,
  payload: JsonParts,
): Delivery =>
  createDelivery({
    seq,
    id,
    jobId: job.id,
    endpointId: job.endpointId,
    url,
    jobStatus: job.status,
    createdAt,
    state: 'pending',
    nextAttemptAt: createdAt,
    finishedAt: null,
    tries: 0,
    payloadLength: payloadLengthOf(payload),
    attempts: [],
  });

/** When a pending delivery is due, milliseconds since the epoch; 0 (at once) without a stored time. */
const dueTimeOf = ({ nextAttemptAt }: WebhookRecord): number => nextAttemptAt ?? 0;

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { clock, ids, store, logger, tries = () => defaultLimits().webhook } = options;
  /** Pending deliveries, and those whose end is not stored yet, by row number. */
  const live = new Map<number, Delivery>();
  const history = createWebhookHistory(clock, store, logger);
  const sender = createSender({
    ...options,
    onAttempt(delivery, attempt) {
      delivery.attempts = [...delivery.attempts, attempt].slice(-limits.webhook.attemptsKept);
      delivery.tries++;
      settle(delivery, attempt.error === null);
    },
  });
  const dueTimer = createDueTimer<Delivery>(clock, (due) => {
    for (const delivery of due) {
      if (delivery.state === 'pending') sender.add(delivery);
      // Storing the end of this delivery failed: try again.
      else save(delivery);
    }
  });

  function settle(delivery: Delivery, delivered: boolean): void {
    const now = clock.now();
    const { retries, gapMs } = tries();
    if (!delivered && delivery.tries <= retries) {
      delivery.nextAttemptAt = now + gapMs;
      dueTimer.add(delivery, gapMs);
    } else {
      delivery.state = delivered ? 'delivered' : 'failed';
      delivery.nextAttemptAt = null;
      delivery.finishedAt = now;
      const { id, jobId, url } = delivery;
      if (!delivered) logger.info({ delivery: id, jobId, url: maskedUrl(url) }, 'a webhook delivery failed');
    }
    save(delivery);
  }

  function save(delivery: Delivery): void {
    const settled: CommitCallback = (error) => {
      if (error)
        logger.error({ err: error, delivery: delivery.id }, 'the outcome of a webhook attempt could not be stored');
      // A newer series has begun, or the delivery is pending again.
      if (delivery.state === 'pending' || live.get(delivery.seq) !== delivery) return;
      if (error) {
        dueTimer.add(delivery, tries().gapMs);
        return;
      }
      live.delete(delivery.seq);
      history.ended(delivery);
    };
    store.update(delivery, settled, 'soon');
  }

  function start(): void {
    history.start();
    for (const record of store.loadPending().sort((a, b) => dueTimeOf(a) - dueTimeOf(b))) {
      if (live.has(record.seq)) continue;
      const delivery = createDelivery(record);
      live.set(delivery.seq, delivery);
      // The wall clock may have changed: no delivery waits longer than the pause between attempts.
      const leftMs = Math.min(tries().gapMs, dueTimeOf(delivery) - clock.now());
      if (leftMs > 0) dueTimer.add(delivery, leftMs);
      else sender.add(delivery);
    }
    dueTimer.start();
    sender.start();
  }

  return {
    start,
    planDelivery(job, body, output) {
      if (job.webhook === null || job.status === 'CANCELLED') return null;
      const payload = webhookPayload(job, readBody(job, body, logger), output);
      const seq = store.nextSeq();
      const delivery = newDelivery(
        { seq, id: webhookId(seq, ids.random(8)), url: job.webhook, createdAt: clock.now() },
        job,
        payload,
      );
      return {
        ...store.inserting(delivery, payload),
        begin() {
          live.set(seq, delivery);
          sender.add(delivery);
        },
      };
    },
    get: (id) => findRecord(store, id),
    list: (query) => store.list(query),
    redeliver(id, settled) {
      const record = findRecord(store, id);
      const before = live.get(record.seq) ?? record;
      checkRedeliverable(before);
      const again = createDelivery({
        ...before,
        state: 'pending',
        nextAttemptAt: clock.now(),
        finishedAt: null,
        tries: 0,
      });
      live.set(again.seq, again);
      history.forget(again.seq);
      store.update(again, (error) => {
        if (error) {
          live.delete(again.seq);
          history.ended(before);
        } else {
          sender.add(again);
        }
        settled(error, again);
      });
    },
    stop() {
      dueTimer.stop();
      sender.stop();
      history.stop();
    },
  };
}
