/** Measures what takes how much of the disk: the data folder, and the images and containers of the container engine. */
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { DiskPart, DiskUsage } from '#contract/local/disk/usage.ts';
import type { Clock } from './domain/core/ports.ts';
import { measureContainerDisk, type ContainerDiskUsage } from './runtime/containers/diskUsage.ts';
import { createDataFolderId } from './runtime/containers/engine/dataFolderId.ts';
import type { EngineFinder } from './runtime/containers/engine/discovery.ts';
import { folderSize } from './runtime/host/folderSize.ts';

/** A folder with more files than are counted in this time is reported as "at least", milliseconds. */
const COUNT_MS = 20_000;

export interface DiskReportOptions {
  dataDir: string;
  finder: Pick<EngineFinder, 'find'>;
  clock: Pick<Clock, 'now'>;
  /** Names of the images that templates start. */
  imagesInUse(): readonly string[];
}

export interface DiskReport {
  /** Measures now, for up to 20 seconds in the data folder. Requests at the same time share one measurement. */
  measure(): Promise<DiskUsage>;
  /** Ends a count that runs. */
  stop(): void;
}

type FolderKind = Exclude<DiskPart['kind'], 'images' | 'containers'>;

/** By the start of an entry's name in the data folder: a database has files beside it. */
const kinds: readonly (readonly [RegExp, FolderKind])[] = [
  [/^(volumes|pods)$/, 'volumes'],
  [/^logs$/, 'logs'],
  [/^((engine|ledger|(?:gpu|pod|processor)-history)\.db|blobs$)/, 'databases'],
  [/backup|^before-import/, 'backups'],
  [/^disk-reserve/, 'reserve'],
];
const kindOf = (name: string): FolderKind => kinds.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';

async function measureFolder(dataDir: string, signal: AbortSignal): Promise<DiskPart[]> {
  const entries = await readdir(dataDir);
  const sizes = await Promise.all(
    entries.map(async (name) => ({ kind: kindOf(name), ...(await folderSize(join(dataDir, name), signal)) })),
  );
  const volumes = await Promise.all(['volumes', 'pods'].map((name) => readdir(join(dataDir, name)).catch(() => [])));
  return (['volumes', 'logs', 'databases', 'backups', 'reserve', 'other'] as const).map((kind) => {
    const own = sizes.filter((size) => size.kind === kind);
    return {
      kind,
      bytes: own.reduce((sum, { bytes }) => sum + bytes, 0),
      count: kind === 'volumes' ? volumes.flat().length : null,
      freeableBytes: null,
      isWhole: own.every(({ isWhole }) => isWhole),
    };
  });
}

const containerParts = ({ images, containers }: ContainerDiskUsage): DiskPart[] => [
  { kind: 'images', ...images, isWhole: true },
  { kind: 'containers', ...containers, freeableBytes: null, isWhole: true },
];

/** The disks of both folders; that of the container engine only where this machine has its folder. */
async function disksOf(dataDir: string, containers: string | null): Promise<DiskUsage['disks']> {
  const of = async (folder: string) => {
    const [{ dev }, { blocks, bavail, bsize }] = await Promise.all([stat(folder), statfs(folder)]);
    return { dev, totalBytes: blocks * bsize, freeBytes: bavail * bsize };
  };
  const data = await of(dataDir).catch(() => null);
  const other = containers === null ? null : await of(containers).catch(() => null);
  const isOne = data !== null && other !== null && data.dev === other.dev;
  const disk = (space: typeof data, holds: DiskUsage['disks'][number]['holds']): DiskUsage['disks'] =>
    space === null ? [] : [{ holds, totalBytes: space.totalBytes, freeBytes: space.freeBytes }];
  if (isOne) return disk(data, ['data', 'containers']);
  return [...disk(data, ['data']), ...disk(other, ['containers'])];
}

export function createDiskReport({ dataDir, finder, clock, imagesInUse }: DiskReportOptions): DiskReport {
  const stopping = new AbortController();
  let running: Promise<DiskUsage> | null = null;

  async function measureNow(): Promise<DiskUsage> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(COUNT_MS)]);
    const [parts, usage] = await Promise.all([
      measureFolder(dataDir, signal),
      measureContainerDisk(finder, createDataFolderId(dataDir), imagesInUse()),
    ]);
    const isKnown = typeof usage !== 'string';
    return {
      measuredAt: new Date(clock.now()).toISOString(),
      disks: await disksOf(dataDir, isKnown ? usage.folder : null),
      parts: [...(isKnown ? containerParts(usage) : []), ...parts].toSorted((one, other) => other.bytes - one.bytes),
      containerProblem: isKnown ? null : usage,
    };
  }

  return {
    measure: () => (running ??= measureNow().finally(() => (running = null))),
    stop: () => stopping.abort(),
  };
}
