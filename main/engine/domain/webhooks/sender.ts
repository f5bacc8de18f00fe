/** Makes the attempts of deliveries, limited by the speed of their receivers. */
import { limits } from '#contract/core/limits.ts';
import type { JsonParts } from '../jobs/payload/payloadRef.ts';
import type { Cancel, Clock, Logger } from '../core/ports.ts';
import type { Delivery, WebhookAttempt } from './delivery.ts';
import { answering, createReceivers, doubtful } from './fairScheduler.ts';
import type { WebhookOutcome, WebhookPoster, WebhookStore } from './ports.ts';

const { startsPerTurn } = limits.webhook;

export interface SenderOptions {
  clock: Clock;
  store: Pick<WebhookStore, 'payload'>;
  poster: WebhookPoster;
  logger: Logger;
  /** Called after each attempt. */
  onAttempt(delivery: Delivery, attempt: WebhookAttempt): void;
}

export interface Sender {
  /** Queues the next attempt of a delivery. */
  add(delivery: Delivery): void;
  /** Attempts may begin from now on. */
  start(): void;
  /** Begins no more attempts. */
  stop(): void;
}

export function createSender({ clock, store, poster, logger, onAttempt }: SenderOptions): Sender {
  const receivers = createReceivers<Delivery>();
  let turn: Cancel | null = null;
  let running = false;

  function beginNext(kinds: typeof answering): boolean {
    const delivery = receivers.next(kinds);
    if (delivery) attempt(delivery);
    return delivery !== null;
  }

  /**
   * Begins a few attempts in each turn of the event loop. One of them is for a receiver that may hang, so that many of
   * those delay no others.
   */
  function begin(): void {
    if (!running || turn) return;
    turn = clock.after(0, () => {
      turn = null;
      let begun = beginNext(doubtful) ? 1 : 0;
      while (begun < startsPerTurn && beginNext(answering)) begun++;
      if (begun > 0) begin();
    });
  }

  function payloadOf(delivery: Delivery): JsonParts | null {
    try {
      return store.payload(delivery.seq);
    } catch (error) {
      logger.error({ err: error, delivery: delivery.id }, 'the payload of a webhook could not be read');
      return null;
    }
  }

  function attempt(delivery: Delivery): void {
    const at = clock.now();
    const startedElapsed = clock.elapsed();
    const done = (outcome: WebhookOutcome): void => {
      const tookMs = Math.max(0, Math.round(clock.elapsed() - startedElapsed));
      receivers.over(delivery, tookMs);
      onAttempt(delivery, { at, tookMs, ...outcome });
      begin();
    };
    const payload = payloadOf(delivery);
    if (payload === null) {
      done({ status: null, error: 'What was to be sent could not be read from the disk.' });
      return;
    }
    poster.post({ url: delivery.url, payload, deliveryId: delivery.id, attempt: delivery.attempts.length + 1 }, done);
  }

  return {
    add(delivery) {
      receivers.add(delivery);
      begin();
    },
    start() {
      running = true;
      begin();
    },
    stop() {
      running = false;
      turn?.();
    },
  };
}
