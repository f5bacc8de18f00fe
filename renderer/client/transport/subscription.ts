/** Subscriptions to event iterators of the app, which open again after a lost connection or a failure. */
import { useEffect, useEffectEvent } from 'react';
import { ORPCError } from '@orpc/client';
import { useConnection } from './orpc.ts';
import { pause } from '../pause.ts';

export interface Subscription<Event> {
  /** Identifies the watched object: a new key opens a new subscription; null: none. */
  key: string | null;
  open: (signal: AbortSignal) => Promise<AsyncIterable<Event>>;
  onEvent: (event: Event) => void;
  /** The watched object does not exist; the subscription is not opened again. */
  onMissing?: (message: string) => void;
  /** The iterator ended or failed, or the connection to the app was lost: nothing comes until it is open again. */
  onClosed?: () => void;
  /** `once`: the iterator ends after the last event. `never`: its end is a fault, and it is opened again. */
  ends: 'once' | 'never';
}

/**
 * Pauses before a subscription is opened again after its first, second, third ... failure in a row, in milliseconds.
 */
const REOPEN_MS = [1000, 2000, 4000, 8000, 15_000];
const LONGEST_MS = 15_000;

/** The pause after `failures` failures in a row, of which there is at least one. */
const reopenMs = (failures: number): number => REOPEN_MS[failures - 1] ?? LONGEST_MS;

export function useSubscription<Event>({ key, ends, ...subscription }: Subscription<Event>): void {
  const generation = useConnection((status) => (status.state === 'open' ? status.generation : null));
  const open = useEffectEvent(subscription.open);
  const onEvent = useEffectEvent(subscription.onEvent);
  const onMissing = useEffectEvent((message: string) => subscription.onMissing?.(message));
  const onClosed = useEffectEvent(() => subscription.onClosed?.());

  useEffect(() => {
    if (key === null || generation === null) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    const follow = async () => {
      let failures = 0;
      while (!signal.aborted) {
        const openedAt = performance.now();
        try {
          for await (const event of await open(signal)) {
            if (signal.aborted) return;
            onEvent(event);
          }
          if (ends === 'once') return;
        } catch (error) {
          if (signal.aborted) return;
          if (error instanceof ORPCError && error.code === 'NOT_FOUND') {
            onMissing(error.message);
            return;
          }
          if (error instanceof ORPCError && error.code === 'UNSUPPORTED') return;
          // Other failures are retried below. The connection banner reports an unreachable app.
        } finally {
          if (!signal.aborted) onClosed();
        }
        // One that is cut soon after each opening is not opened every second: what it opens with costs a read of all.
        failures = performance.now() - openedAt > LONGEST_MS ? 1 : failures + 1;
        await pause(reopenMs(failures), signal);
      }
    };
    void follow();
    return () => {
      abort.abort();
      onClosed();
    };
  }, [key, generation, ends]);
}
