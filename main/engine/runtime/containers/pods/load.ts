/** How busy the containers of Pods are: measured once a second while somebody asks, and not at all otherwise. */
import type { Readable } from 'node:stream';
import type { Container, ContainerStats } from 'dockerode';
import { jsonLines } from '../engine/jsonLines.ts';
import { cpuBetween, sampleOf, type Sample } from '../engine/stats.ts';

export interface Load {
  /** Of all the cores that it may use. */
  cpuPercent: number;
  memoryPercent: number;
}

/** So long after the last question nothing is measured any more: a page asks every few seconds. */
const KEPT_MS = 15_000;

interface Watch {
  latest: Load | null;
  /** The first measurement; null where there will be none. */
  readonly first: Promise<Load | null>;
  stop(): void;
  expiry: NodeJS.Timeout;
}

const share = (part: number, whole: number): number =>
  Math.min(100, Math.max(0, Math.round((part / whole) * 1000) / 10));

/** `cores`: how many it may use, null for all. */
function loadBetween(before: Sample, now: Sample, cores: number | null): Load {
  return {
    cpuPercent: share((cpuBetween(before, now) ?? 0) / 100, cores ?? now.cores),
    memoryPercent: now.limitBytes === null ? 0 : share(now.memoryBytes ?? 0, now.limitBytes),
  };
}

export interface PodLoads {
  /** Null where the container has ended. The first caller waits for two samples, about two seconds. */
  of(container: Container, cores: number | null): Promise<Load | null>;
  close(): Promise<void>;
}

export function createPodLoads(): PodLoads {
  const watches = new Map<string, Watch>();
  const reading = new Set<Promise<void>>();

  function begin(container: Container, cores: number | null): Watch {
    const ending = new AbortController();
    const { signal } = ending;
    let settleFirst = (_load: Load | null): void => undefined;
    const first = new Promise<Load | null>((resolve) => (settleFirst = resolve));
    const leave = (): void => watch.stop();
    const watch: Watch = { latest: null, first, stop: () => ending.abort(), expiry: setTimeout(leave, KEPT_MS) };

    async function read(): Promise<void> {
      const query = { stream: true as const, abortSignal: signal };
      const answer = (await container.stats(query)) as unknown as Readable;
      const end = (): void => void answer.destroy();
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
      let before: Sample | null = null;
      for await (const value of jsonLines(answer)) {
        const now = sampleOf(value as ContainerStats);
        // A container that has ended reports empty measurements without end.
        if (now.memoryBytes === null) break;
        if (before) settleFirst((watch.latest = loadBetween(before, now, cores)));
        before = now;
      }
      end();
    }

    watches.set(container.id, watch);
    const done = read()
      // It broke off: the container or its engine has gone, or nobody asks.
      .catch(() => undefined)
      .then(() => {
        clearTimeout(watch.expiry);
        if (watches.get(container.id) === watch) watches.delete(container.id);
        settleFirst(null);
      });
    reading.add(done);
    void done.then(() => reading.delete(done));
    return watch;
  }

  return {
    async of(container, cores) {
      const watch = watches.get(container.id) ?? begin(container, cores);
      watch.expiry.refresh();
      return watch.latest ?? watch.first;
    },
    async close() {
      for (const watch of watches.values()) watch.stop();
      await Promise.all(reading);
    },
  };
}
