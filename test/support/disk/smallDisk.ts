/**
 * A disk of a few megabytes that can be filled, for tests of what happens then: a file system in memory, which only
 * root may mount.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MB = 1024 * 1024;

export interface SmallDisk extends Disposable {
  readonly folder: string;
  /** Takes up whatever is free. */
  fill(): Promise<void>;
  /** Frees what `fill` has taken. */
  makeRoom(): void;
  /** From now on nothing can be written. */
  makeReadOnly(): void;
  freeBytes(): number;
}

/** Why there can be none here; null when there can. */
export const whyNoSmallDisk = (): string | null =>
  process.platform === 'linux' && process.getuid?.() === 0 ? null : 'mounting a small disk takes root on Linux';

export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder], { encoding: 'utf8' });
  if (mounted.status !== 0) throw new Error(`A small disk could not be mounted: ${mounted.stderr}`);
  const filler = join(folder, 'filler');
  return {
    folder,
    async fill() {
      const handle = await open(filler, 'a');
      try {
        for (const part of [Buffer.alloc(MB), Buffer.alloc(4096)]) {
          for (;;) {
            try {
              if ((await handle.write(part)).bytesWritten < part.length) break;
            } catch {
              break;
            }
          }
        }
      } finally {
        await handle.close();
      }
    },
    makeRoom: () => rmSync(filler, { force: true }),
    makeReadOnly() {
      const made = spawnSync('mount', ['-o', 'remount,ro', folder], { encoding: 'utf8' });
      if (made.status !== 0) throw new Error(`The disk could not be made read-only: ${made.stderr}`);
    },
    freeBytes() {
      const { bavail, bsize } = statfsSync(folder);
      return bavail * bsize;
    },
    [Symbol.dispose]() {
      spawnSync('umount', ['-l', folder]);
      rmdirSync(folder);
    },
  };
}
