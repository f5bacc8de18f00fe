/** Tells when a Pod's container starts or ends, and when the container engine comes or goes. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import type { Cancel } from '../../../domain/core/ports.ts';
import type { ContainerEngine, EngineFinder } from '../engine/discovery.ts';
import type { DataFolderId } from '../engine/dataFolderId.ts';
import { jsonLines } from '../engine/jsonLines.ts';
import { podLabels } from './labels.ts';

/** What changes whether a container runs; Docker and Podman have their own words. */
const ACTIONS = new Set(['start', 'die', 'died', 'oom', 'destroy', 'remove']);
/** How soon an engine that has gone is looked for again; twice as late each time. */
const AGAIN_MS = { first: 250, most: 10_000 };

interface ContainerEvent {
  Action?: string;
  status?: string;
  Actor?: { Attributes?: Record<string, string> };
}

export interface PodEvents {
  onChange(listener: (podId: string | null) => void): Cancel;
  /** Settles once it watches, or once it is known that nobody can be watched; called before a container is started. */
  begin(): Promise<void>;
  close(): Promise<void>;
}

export function createPodEvents({ finder, folder }: { finder: EngineFinder; folder: DataFolderId }): PodEvents {
  const listeners = new Set<(podId: string | null) => void>();
  const closing = new AbortController();
  const { signal } = closing;
  let watching: Promise<void> | null = null;
  let looked = (): void => undefined;
  const first = new Promise<void>((resolve) => (looked = resolve));

  const notify = (podId: string | null): void => {
    for (const listener of listeners) listener(podId);
  };

  /** Reads until the engine goes; false where it did not answer at all. */
  async function follow({ docker }: ContainerEngine, again: boolean): Promise<boolean> {
    const filters = { type: ['container' as const], label: podLabels.filter(folder) };
    let events: Readable;
    try {
      events = (await docker.getEvents({ filters, abortSignal: signal })) as unknown as Readable;
    } catch {
      return false;
    }
    const leave = (): void => void events.destroy();
    signal.addEventListener('abort', leave, { once: true });
    looked();
    // Events were missed while there was no connection.
    if (again) notify(null);
    try {
      if (signal.aborted) leave();
      for await (const value of jsonLines(events)) {
        const { Action, status, Actor } = value as ContainerEvent;
        if (!ACTIONS.has(Action ?? status ?? '')) continue;
        notify(podLabels.read(Actor?.Attributes ?? {}).podId || null);
      }
    } catch {
      // It broke off: the engine has gone, or we leave.
    }
    signal.removeEventListener('abort', leave);
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
      looked();
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
      // A machine that never had a container of ours is not asked for an engine again and again.
      if (folder.used()) void begin();
      return () => void listeners.delete(listener);
    },
    begin,
    async close() {
      listeners.clear();
      closing.abort();
      looked();
      await watching;
    },
  };
}
