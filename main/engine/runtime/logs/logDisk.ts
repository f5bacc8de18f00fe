/** The lines on disk. After a failure it tries again later; lines in between are lost on disk. */
import type { Clock } from '../../domain/core/ports.ts';
import { openSegments, type Segment, type Segments, type SegmentsOptions } from './segments.ts';

/** The pause after a failure, milliseconds. */
const RETRY_MS = 5000;

export interface LogDisk {
  /** The number of the newest line on disk; 0 without lines. */
  lastN(): number;
  /** Oldest first; null where the folder could not be opened. */
  list(): readonly Segment[] | null;
  /** Writes whole lines; the first one has the number `firstN`. Never rejects: lines are lost where the disk fails. */
  store(lines: Buffer, firstN: number): Promise<void>;
  close(): Promise<void>;
}

export interface LogDiskOptions extends SegmentsOptions {
  clock: Clock;
  /** Called once when a write fails, and again only after a successful write. */
  onFailure(error: unknown): void;
}

export function createLogDisk({ clock, onFailure, ...options }: LogDiskOptions): LogDisk {
  let isFailing = false;
  let retryAt = -Infinity;
  let segments = open();

  function open(): Segments | null {
    try {
      return openSegments(options);
    } catch (error) {
      fail(error);
      return null;
    }
  }

  function fail(error: unknown): void {
    retryAt = clock.elapsed() + RETRY_MS;
    if (isFailing) return;
    isFailing = true;
    onFailure(error);
  }

  return {
    lastN: () => segments?.lastN ?? 0,
    list: () => segments?.list() ?? null,
    async store(lines, firstN) {
      if (isFailing && clock.elapsed() < retryAt) return;
      segments ??= open();
      try {
        if (!segments) return;
        await segments.append(lines, firstN);
        isFailing = false;
      } catch (error) {
        fail(error);
      }
    },
    close: async () => segments?.close(),
  };
}
