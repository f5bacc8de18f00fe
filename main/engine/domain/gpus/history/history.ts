/**
 * The history of the GPUs of this machine. Each measurement is added to the span of each step: short spans are kept for
 * a short time, longer ones for a day.
 */
import type { GpuHistory, GpuPeriod, GpuPoint, GpuUser } from '#contract/local/gpuHistory.ts';
import type { MachineGpu } from '#contract/local/machine.ts';
import { AppError } from '#contract/core/errors.ts';
import type { Clock } from '../../core/ports.ts';
import type { FindUse, GpuHistoryStore } from './ports.ts';
import { createSpans, spanStart } from './spans.ts';
import { bounds, periods } from './steps.ts';
import { addSums, inOrder, meanOf, measure, measuredOf, newSums, type GpuSums } from './sums.ts';

export interface GpuHistoryRecorder {
  /** GPUs may have new measurements. */
  measured(): void;
  /** The history of each GPU, or of the one with this index or uuid. Throws NOT_FOUND if there is no such GPU. */
  of(period: GpuPeriod, gpu?: string): GpuHistory[];
  /** Stores what is not stored yet. */
  stop(): void;
}

export interface GpuHistoryOptions {
  clock: Pick<Clock, 'now' | 'elapsed'>;
  store: Pick<GpuHistoryStore, 'add' | 'read' | 'retain'>;
  /** The GPUs with their last measurement. */
  gpus(): readonly MachineGpu[];
  findUse: FindUse;
}

/** Digits after the point in answers. */
const DIGITS = { utilPercent: 1, memoryBytes: 0, powerW: 1, temperatureC: 1, ownMemoryBytes: 0 } as const;

const iso = (at: number): string => new Date(at).toISOString();

function pointOf(at: number, { quantities, users }: GpuSums): GpuPoint {
  const of = (name: 'utilPercent' | 'memoryBytes' | 'powerW' | 'temperatureC') =>
    measuredOf(quantities[name], DIGITS[name]);
  return {
    at: iso(at),
    utilPercent: of('utilPercent'),
    memoryBytes: of('memoryBytes'),
    powerW: of('powerW'),
    temperatureC: of('temperatureC'),
    ownMemoryBytes: meanOf(quantities.ownMemoryBytes, DIGITS.ownMemoryBytes),
    users: [...users],
  };
}

/** All users of the points, with the time in which each was seen. */
function usersOf(points: readonly GpuPoint[], stepMs: number): GpuHistory['users'] {
  const seen = new Map<string, GpuUser & { ms: number }>();
  for (const { users } of points) {
    for (const user of users) {
      const key = `${user.kind} ${user.id} ${user.isKept ?? false}`;
      const { ms = 0, memoryBytes = null } = seen.get(key) ?? {};
      const most = Math.max(memoryBytes ?? -1, user.memoryBytes ?? -1);
      seen.set(key, { ...user, memoryBytes: most < 0 ? null : most, ms: ms + stepMs });
    }
  }
  return inOrder(seen.values()).slice(0, bounds.usersOfAnswer);
}

export function createGpuHistory({ clock, store, gpus, findUse }: GpuHistoryOptions): GpuHistoryRecorder {
  const spans = createSpans({ clock, store, newSums, addSums });
  /** The time of the last measurement of each GPU, by uuid. */
  const lastAt = new Map<string, string>();
  function add(gpu: MachineGpu, load: NonNullable<MachineGpu['load']>): void {
    const { utilPercent, memoryUsedBytes: memoryBytes, powerW, temperatureC } = load;
    const measurement = { utilPercent, memoryBytes, powerW, temperatureC, ...findUse(gpu) };
    for (const sums of spans.current(gpu.uuid)) measure(sums, measurement);
  }

  function historyOf({ uuid, index, typeId, memoryBytes }: MachineGpu, period: GpuPeriod): GpuHistory {
    const { stepMs, points: count } = periods[period];
    const to = clock.now();
    const from = spanStart(to, stepMs) - (count - 1) * stepMs;
    const known = spans.read(uuid, stepMs, from);
    const points = Array.from({ length: count }, (_, place) => {
      const at = from + place * stepMs;
      return pointOf(at, known.get(at) ?? newSums());
    });
    const users = usersOf(points, stepMs);
    return { uuid, index, typeId, memoryBytes, period, from: iso(from), to: iso(to), stepMs, points, users };
  }

  return {
    measured() {
      for (const gpu of gpus()) {
        if (gpu.load === null || lastAt.get(gpu.uuid) === gpu.load.at) continue;
        lastAt.set(gpu.uuid, gpu.load.at);
        add(gpu, gpu.load);
      }
      spans.beat();
    },
    of(period, wanted) {
      const all = gpus();
      const matching = all.filter(
        ({ uuid, index }) => wanted === undefined || uuid === wanted || `${index}` === wanted,
      );
      if (wanted !== undefined && matching.length === 0) {
        const names = all.map(({ index, uuid }) => `${index} (${uuid})`).join(', ');
        throw new AppError(
          'NOT_FOUND',
          `There is no GPU ${JSON.stringify(wanted)}. ${names === '' ? 'This machine has none.' : `There are ${names}.`}`,
        );
      }
      return matching.map((gpu) => historyOf(gpu, period));
    },
    stop: spans.flush,
  };
}
