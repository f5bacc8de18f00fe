/** When the disk has room for the feeds of engines, on real disks of a few megabytes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { skipFor } from '../../../test/support/core/skip.ts';
import { mountSmallDisk, whyNoSmallDisk } from '../../../test/support/disk/smallDisk.ts';
import { hasDiskRoom } from './diskRoom.ts';

const MB = 1024 * 1024;

test('A small disk has room for feeds while a quarter of it is free', skipFor(whyNoSmallDisk()), () => {
  using disk = mountSmallDisk(40);
  expect(hasDiskRoom(disk.folder)).toBe(true);
  writeFileSync(join(disk.folder, 'jobs'), Buffer.alloc(disk.freeBytes() - 11 * MB, 1));
  expect(hasDiskRoom(disk.folder)).toBe(true);
  writeFileSync(join(disk.folder, 'more'), Buffer.alloc(2 * MB, 1));
  expect(hasDiskRoom(disk.folder)).toBe(false);
});

test('A folder that is gone has room: the write says what is wrong', () => {
  expect(hasDiskRoom('/no/such/folder')).toBe(true);
});
