/** How busy the container of a Pod is: of all the cores and the memory that it may use. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Container } from 'dockerode';
import { cpuBetween, sampleOf, type Sample } from './usage.ts';

export interface Load {
  cpuPercent: number;
  memoryPercent: number;
}

/** Over less time than this the processor's share says little; the first who asks waits for so long. */
const SPAN_MS = 500;
/** A look that is older says what was, not what is. */
const OLD_MS = 30_000;

interface Known {
  sample: Sample;
  load: Load | null;
}

const share = (part: number, whole: number): number =>
  Math.min(100, Math.max(0, Math.round((part / whole) * 1000) / 10));

export interface PodLoads {
  /** `cores`: how many it may use, null for all. */
  of(container: Container, cores: number | null): Promise<Load>;
  /** Forgets whoever is not among these. */
  keep(ids: ReadonlySet<string>): void;
}

/** Compares with the look before; several who ask at once share one look. */
export function createPodLoads(): PodLoads {
  const known = new Map<string, Known>();
  const underWay = new Map<string, Promise<Load>>();

  async function look(container: Container, cores: number | null): Promise<Load> {
    let before = known.get(container.id);
    if (before && Date.now() - before.sample.at > OLD_MS) before = undefined;
    if (!before) {
      before = { sample: await sampleOf(container), load: null };
      await delay(SPAN_MS);
    }
    const now = await sampleOf(container);
    if (before.load !== null && now.at - before.sample.at < SPAN_MS) return before.load;
    const load = {
      cpuPercent: share((cpuBetween(before.sample, now) ?? 0) / 100, cores ?? now.cores),
      memoryPercent: now.limitBytes === null ? 0 : share(now.memoryBytes ?? 0, now.limitBytes),
    };
    known.set(container.id, { sample: now, load });
    return load;
  }

  return {
    of(container, cores) {
      const { id } = container;
      const shared = underWay.get(id);
      if (shared) return shared;
      const asked = look(container, cores).finally(() => underWay.delete(id));
      underWay.set(id, asked);
      return asked;
    },
    keep(ids) {
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    },
  };
}
