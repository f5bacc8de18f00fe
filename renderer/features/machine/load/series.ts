/** The measurements of the last minutes, one track for each quantity, which begins with the history of the engine. */
import { create } from 'zustand';
import { keysOf } from '#contract/core/keysOf.ts';
import type { GpuHistory, GpuPoint } from '#contract/local/gpuHistory.ts';
import type { Machine, ProcessorHistory, ProcessorPoint } from '#contract/local/machine.ts';

/** Times in milliseconds since the epoch, oldest first; null marks a missing measurement. */
export interface Track {
  readonly at: readonly number[];
  readonly values: readonly (number | null)[];
}

export const SERIES_MS = 5 * 60_000;
/** Samples come every 2 s, on a busy machine later. No line is drawn across a longer gap, as of a lost connection. */
const GAP_MS = 30_000;

/** A chart is at least as long as this, so that its first samples are a line and no dot. */
const SHORTEST_MS = 60_000;

export const noTrack: Track = { at: [], values: [] };

/** The track with one more sample. An older or repeated sample changes nothing. */
export function addSample(track: Track, at: number, value: number | null): Track {
  const last = track.at.at(-1);
  if (last !== undefined && at <= last) return track;
  const first = track.at.findIndex((time) => time >= at - SERIES_MS);
  const start = first === -1 ? track.at.length : first;
  const gap = last !== undefined && at - last > GAP_MS && start < track.at.length;
  return {
    at: [...track.at.slice(start), ...(gap ? [last + 1] : []), at],
    values: [...track.values.slice(start), ...(gap ? [null] : []), value],
  };
}

/** The track with what was measured before its first sample, oldest first, as far back as tracks go. */
export function withPast(track: Track, past: Track): Track {
  const [first = Infinity] = track.at;
  const oldest = (track.at.at(-1) ?? past.at.at(-1) ?? 0) - SERIES_MS;
  const known = past.at.flatMap((at, index) =>
    at >= oldest && at < first ? [{ at, value: past.values[index] ?? null }] : [],
  );
  // The time before the first measurement would be an empty part of the chart.
  const start = known.findIndex(({ value }) => value !== null);
  if (start === -1) return track;
  const shown = known.slice(start);
  return {
    at: [...shown.map(({ at }) => at), ...track.at],
    values: [...shown.map(({ value }) => value), ...track.values],
  };
}

/**
 * The first and the last moment of its chart: from its first sample on, so that no part of the chart is empty for long.
 */
export function periodOf({ at }: Track): { start: number; end: number } {
  const end = at.at(-1) ?? 0;
  return { start: Math.max(end - SERIES_MS, Math.min(at[0] ?? end, end - SHORTEST_MS)), end };
}

/** How many minutes its chart is long, for a person: 1 to 5. */
export function minutesOf(track: Track): number {
  const { start, end } = periodOf(track);
  return Math.round((end - start) / 60_000);
}

/** The smallest and largest sample; null without samples. */
export function spanOf(track: Track): { least: number; greatest: number } | null {
  const known = track.values.filter((value) => value !== null);
  return known.length === 0 ? null : { least: Math.min(...known), greatest: Math.max(...known) };
}

type GpuQuantity = 'load' | 'memory' | 'temperature' | 'power';

type Sample = readonly [name: string, at: number, value: number | null];

/** The key of a GPU's quantity, independent of the GPU's position in the list. */
export const gpuTrack = (uuid: string, quantity: GpuQuantity): string => `gpu.${uuid}.${quantity}`;

const pastQuantities: Readonly<Record<GpuQuantity, 'utilPercent' | 'memoryBytes' | 'temperatureC' | 'powerW'>> = {
  load: 'utilPercent',
  memory: 'memoryBytes',
  temperature: 'temperatureC',
  power: 'powerW',
};

type History<Point> = Pick<GpuHistory, 'stepMs' | 'to'> & { readonly points: readonly Point[] };

/** The means of a quantity in the history, each in the middle of its span. A span that is not over yet is left out. */
function pastOf<Point extends { at: string }>(
  { points, stepMs, to }: History<Point>,
  valueOf: (point: Point) => number | null,
): Track {
  const over = points.filter(({ at }) => Date.parse(at) + stepMs <= Date.parse(to));
  return { at: over.map(({ at }) => Date.parse(at) + stepMs / 2), values: over.map(valueOf) };
}

/** Puts what was measured before in front of the tracks of an account. */
function putBefore(accountId: string, pasts: readonly (readonly [name: string, past: Track])[]): void {
  useTracks.setState((tracks) =>
    Object.fromEntries(
      pasts.map(([name, past]) => {
        const key = `${accountId}/${name}`;
        return [key, withPast(tracks[key] ?? noTrack, past)];
      }),
    ),
  );
}

/** Puts the history of its GPUs before what was measured since the page is open. */
export function recordPast(accountId: string, histories: readonly GpuHistory[]): void {
  putBefore(
    accountId,
    histories.flatMap((history) =>
      keysOf(pastQuantities).map((quantity) => {
        const valueOf = (point: GpuPoint): number | null => point[pastQuantities[quantity]]?.mean ?? null;
        return [gpuTrack(history.uuid, quantity), pastOf(history, valueOf)] as const;
      }),
    ),
  );
}

/** The same of its processor and memory. */
export function recordProcessorPast(accountId: string, history: ProcessorHistory): void {
  const past = (valueOf: (point: ProcessorPoint) => number | null): Track => pastOf(history, valueOf);
  putBefore(accountId, [
    ['cpu', past(({ loadPercent }) => loadPercent?.mean ?? null)],
    ['memory', past(({ memoryBytes }) => memoryBytes?.mean ?? null)],
  ]);
}

export function samplesOf({ cpu, memory, gpus }: Machine, now: number): Sample[] {
  return [
    ['cpu', now, cpu.loadPercent],
    ['memory', now, memory.usedBytes],
    ...gpus.flatMap(({ uuid, load }): Sample[] => {
      if (load === null) return [];
      const at = Date.parse(load.at);
      return [
        [gpuTrack(uuid, 'load'), at, load.utilPercent],
        [gpuTrack(uuid, 'memory'), at, load.memoryUsedBytes],
        [gpuTrack(uuid, 'temperature'), at, load.temperatureC],
        [gpuTrack(uuid, 'power'), at, load.powerW],
      ];
    }),
  ];
}

/** By account, so that two machines do not share a line. */
const useTracks = create<Record<string, Track>>(() => ({}));

export const useTrack = (accountId: string, name: string): Track =>
  useTracks((tracks) => tracks[`${accountId}/${name}`]) ?? noTrack;

export function record(accountId: string, machine: Machine, now: number): void {
  useTracks.setState((tracks) =>
    Object.fromEntries(
      samplesOf(machine, now).map(([name, at, value]) => {
        const key = `${accountId}/${name}`;
        return [key, addSample(tracks[key] ?? noTrack, at, value)];
      }),
    ),
  );
}
