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
  /** `once`: the iterator ends after the last event. `never`: its end is a fault, and it is opened again. */
  ends: 'once' | 'never';
}

const REOPEN_MS = 1000;

export function useSubscription<Event>({ key, ends, ...subscription }: Subscription<Event>): void {
  const generation = useConnection((status) => (status.state === 'open' ? status.generation : null));
  const open = useEffectEvent(subscription.open);
  const onEvent = useEffectEvent(subscription.onEvent);
  const onMissing = useEffectEvent((message: string) => subscription.onMissing?.(message));

  useEffect(() => {
    if (key === null || generation === null) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    const follow = async () => {
      while (!signal.aborted) {
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
          // Other failures are retried below. The connection banner reports an unreachable app.
        }
        await pause(REOPEN_MS, signal);
      }
    };
    void follow();
    return () => abort.abort();
  }, [key, generation, ends]);
}
