/** The load of Pods' containers. It is measured once a second while a client requests it, and not otherwise. */
import type { Container } from 'dockerode';
import type { PodSample } from '../../../domain/pods/podInterfaces.ts';
import { jsonLines } from '../engine/jsonLines.ts';
import { cpuBetween, sampleOf, statsSchema, type Sample } from '../engine/stats.ts';

export interface Load {
  /** The percentage of all cores that the container may use. */
  cpuPercent: number;
  memoryPercent: number;
}

/** How long measuring continues after the last request, milliseconds: a page requests it every few seconds. */
const KEPT_MS = 15_000;

interface Watch {
  latest: Load | null;
  /** The first measurement; null where the container has ended. */
  readonly first: Promise<Load | null>;
  stop(): void;
  expiry: NodeJS.Timeout;
}

const share = (part: number, whole: number): number =>
  Math.min(100, Math.max(0, Math.round((part / whole) * 1000) / 10));

/** `cores`: how many the container may use; null for all. */
function loadBetween(before: Sample, now: Sample, cores: number | null): Load {
  return {
    cpuPercent: share((cpuBetween(before, now) ?? 0) / 100, cores ?? now.cores),
    memoryPercent: now.limitBytes === null ? 0 : share(now.memoryBytes ?? 0, now.limitBytes),
  };
}

/** One measurement, at once; null where the container has ended. */
export async function sampleOnce(container: Container, cores: number | null): Promise<PodSample | null> {
  const sample = sampleOf(statsSchema.parse(await container.stats({ stream: false, 'one-shot': true })));
  // The engine reports empty measurements for a container that has ended.
  return sample.memoryBytes === null ? null : { ...sample, cores: cores ?? sample.cores };
}

export interface PodLoads {
  /** Null where the container has ended. The first caller waits for two samples, about two seconds. */
  of(container: Container, cores: number | null): Promise<Load | null>;
  /** Null before the first measurement, and where the container has ended. */
  latest(container: Container, cores: number | null): Load | null;
  /** Ends the measurement of a container: its limits have changed. The next request begins another one. */
  forget(container: Container): void;
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
      let before: Sample | null = null;
      for await (const value of jsonLines(await container.stats(query), signal)) {
        const stats = statsSchema.safeParse(value);
        const now = stats.success ? sampleOf(stats.data) : null;
        // The engine reports empty measurements for a container that has ended.
        if (now === null || now.memoryBytes === null) break;
        if (before) settleFirst((watch.latest = loadBetween(before, now, cores)));
        before = now;
      }
    }

    watches.set(container.id, watch);
    const done = read()
      // The stream broke: the container or its engine is gone, or nobody requests the load.
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

  function watchOf(container: Container, cores: number | null): Watch {
    const watch = watches.get(container.id) ?? begin(container, cores);
    watch.expiry.refresh();
    return watch;
  }

  return {
    async of(container, cores) {
      const { latest, first } = watchOf(container, cores);
      return latest ?? first;
    },
    latest: (container, cores) => watchOf(container, cores).latest,
    forget(container) {
      watches.get(container.id)?.stop();
      watches.delete(container.id);
    },
    async close() {
      for (const watch of watches.values()) watch.stop();
      await Promise.all(reading);
    },
  };
}
