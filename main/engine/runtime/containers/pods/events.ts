/** Reports when the container of a Pod starts or ends, and when the container engine comes or goes. */
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { Cancel, Logger } from '../../../domain/core/ports.ts';
import type { ContainerEngine, EngineFinder } from '../engine/discovery.ts';
import type { DataFolderId } from '../engine/dataFolderId.ts';
import { isConnectionLost } from '../engine/errorMessages.ts';
import { jsonLines } from '../engine/jsonLines.ts';
import { podLabels } from './labels.ts';

/** The events that change whether a container runs. Docker and Podman use different names. */
const ACTIONS = new Set(['start', 'die', 'died', 'oom', 'destroy', 'remove']);
/** The delay before a reconnect, milliseconds. It doubles each time. */
const AGAIN_MS = { first: 250, most: 10_000 };

const eventSchema = z.object({
  Action: z.string().optional(),
  status: z.string().optional(),
  Actor: z.object({ Attributes: z.record(z.string(), z.string()).optional() }).optional(),
});

export interface PodEvents {
  onChange(listener: (podId: string | null) => void): Cancel;
  /** Resolves once it receives events, or once no engine is available. Called before a container starts. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

export interface PodEventsOptions {
  finder: EngineFinder;
  folder: DataFolderId;
  logger: Logger;
}

export function createPodEvents({ finder, folder, logger }: PodEventsOptions): PodEvents {
  const listeners = new Set<(podId: string | null) => void>();
  const closing = new AbortController();
  const { signal } = closing;
  let watching: Promise<void> | null = null;
  let settle = (): void => undefined;
  const first = new Promise<void>((resolve) => (settle = resolve));

  const notify = (podId: string | null): void => {
    for (const listener of listeners) listener(podId);
  };

  /** Reads events until the connection ends. Returns false where the engine did not answer at all. */
  async function follow({ docker }: ContainerEngine, again: boolean): Promise<boolean> {
    const filters = { type: ['container' as const], label: podLabels.filter(folder) };
    // `watch` tries again later; `finder` reports the reason.
    const events = await docker.getEvents({ filters, abortSignal: signal }).catch(() => null);
    if (events === null) return false;
    settle();
    // Events during the disconnect are lost.
    if (again) notify(null);
    try {
      for await (const value of jsonLines(events, signal)) {
        const event = eventSchema.safeParse(value);
        if (!event.success) {
          logger.warn({ err: event.error }, 'an event of the container engine has an unknown format');
          continue;
        }
        const { Action, status, Actor } = event.data;
        if (!ACTIONS.has(Action ?? status ?? '')) continue;
        notify(podLabels.read(Actor?.Attributes ?? {}).podId || null);
      }
    } catch (error) {
      // After a lost connection, `watch` connects again.
      if (!signal.aborted && !isConnectionLost(error)) {
        logger.warn({ err: error }, 'the events of the container engine could not be read');
      }
    }
    if (!signal.aborted) notify(null);
    return true;
  }

  async function watch(): Promise<void> {
    let waitMs = AGAIN_MS.first;
    let again = false;
    while (!signal.aborted) {
      const engine = await finder.find();
      if (typeof engine !== 'string' && (await follow(engine, again))) waitMs = AGAIN_MS.first;
      again = true;
      settle();
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
      waitMs = Math.min(waitMs * 2, AGAIN_MS.most);
    }
  }

  function begin(): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    watching ??= watch();
    return first;
  }

  return {
    onChange(listener) {
      listeners.add(listener);
      // A machine that never had a container of ours is not searched for an engine.
      if (folder.used()) void begin();
      return () => void listeners.delete(listener);
    },
    begin,
    async close() {
      listeners.clear();
      closing.abort();
      settle();
      await watching;
    },
  };
}
