/** The reserve for the ends of jobs, on real disks of a few megabytes. */
import { afterEach, describe, expect, test } from 'vitest';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../../../test/support/core/fakes.ts';
import { until } from '../../../../test/support/core/until.ts';
import { mountSmallDisk, whyNoSmallDisk } from '../../../../test/support/disk/smallDisk.ts';
import { createDiskReserve, validMs, type DiskReserve } from './diskReserve.ts';
import { skipFor } from '../../../../test/support/core/skip.ts';

const MB = 1024 * 1024;
const noDisk = whyNoSmallDisk();
const open: DiskReserve[] = [];
afterEach(async () => {
  for (const reserve of open.splice(0)) await reserve.stop();
});

function start(folder: string): DiskReserve {
  const reserve = createDiskReserve(folder, silentLogger);
  open.push(reserve);
  return reserve;
}

const reservedBytes = (reserve: DiskReserve): Promise<number> =>
  until(
    'room to be reserved',
    async () => (await reserve.facts()).reserveBytes,
    (bytes) => bytes > 0,
  );

test('The free space is read again the sooner, the less of it is left', () => {
  expect(validMs(10_000 * MB, 32 * MB)).toBe(1000);
  expect(validMs(82 * MB, 32 * MB)).toBe(100);
  expect(validMs(33 * MB, 32 * MB)).toBe(10);
  expect(validMs(0, 32 * MB)).toBe(10);
});

describe('A disk with little room', skipFor(noDisk), () => {
  test.each([
    [5, 1],
    [24, 4],
    [80, 16],
  ])('On a disk of %d MB, %d MB are kept for the ends of jobs', async (diskMb, reserveMb) => {
    using disk = mountSmallDisk(diskMb);
    const reserve = start(disk.folder);
    expect(await reservedBytes(reserve)).toBe(reserveMb * MB);
    await reserve.stop();
  });

  test('New jobs are refused while as little is free as is reserved, and the reserve is left for the ends of the others', async () => {
    using disk = mountSmallDisk(24);
    const reserve = start(disk.folder);
    await reservedBytes(reserve);
    reserve.noteWrite();
    const rest = join(disk.folder, 'the rest');
    writeFileSync(rest, Buffer.alloc(disk.freeBytes() - 3 * MB, 1));
    await until('new jobs to be refused', () => {
      reserve.noteWrite();
      return reserve.full;
    });
    expect(await reserve.facts()).toMatchObject({ full: true, reserveBytes: 4 * MB });
    // The disk is completely full now.
    await disk.fill();
    reserve.noteFull();
    expect(disk.freeBytes()).toBeGreaterThanOrEqual(4 * MB);
    expect(await reserve.facts()).toMatchObject({ full: true, reserveBytes: 0 });
    disk.makeRoom();
    rmSync(rest);
    await until('new jobs to be accepted', () => !reserve.full);
    expect(await reservedBytes(reserve)).toBe(4 * MB);
    await reserve.stop();
  });
});
