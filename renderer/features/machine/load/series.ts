/** The measurements of the last minutes, one track for each quantity, while the page is open. */
import { create } from 'zustand';
import type { Machine } from '#contract/local/machine.ts';

/** Times in milliseconds since the epoch, oldest first; null marks a missing measurement. */
export interface Track {
  readonly at: readonly number[];
  readonly values: readonly (number | null)[];
}

export const SERIES_MS = 5 * 60_000;
/** Samples come every 2 s. A longer gap has no samples, and no line is drawn across it. */
const GAP_MS = 10_000;

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

type Sample = readonly [name: string, at: number, value: number | null];

/** The key of a GPU's quantity, independent of the GPU's position in the list. */
export const gpuTrack = (uuid: string, quantity: 'load' | 'memory' | 'temperature' | 'power'): string =>
  `gpu.${uuid}.${quantity}`;

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
