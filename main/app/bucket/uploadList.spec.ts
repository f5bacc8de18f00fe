/** The list of uploads: bounded, and complete when several uploads end at once. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createUploadList } from './uploadList.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hangar-uploads-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const place = { endpoint: 'https://s3.example.com', bucket: 'inputs' };
const uploadOf = (uploadedAt: number) => ({ path: `${randomUUID()}/a.bin`, name: 'a.bin', sizeBytes: 1, uploadedAt });

it('has all uploads that end at the same time, newest first', async () => {
  const list = createUploadList(dataDir);
  const uploads = [1, 2, 3, 4, 5].map(uploadOf);
  await Promise.all(uploads.map((upload) => list.add(place, upload)));
  expect(createUploadList(dataDir).of(place)).toEqual(uploads.toReversed());
});

it('removes a file from its own bucket, and leaves the same path of another one', async () => {
  const list = createUploadList(dataDir);
  const upload = uploadOf(1);
  const other = { ...place, endpoint: 'https://r2.example.com' };
  await list.add(place, upload);
  await list.add(other, upload);
  await list.remove(place, upload.path);
  expect([list.of(place), list.of(other)]).toEqual([[], [upload]]);
});

it('forgets the oldest ones above its bound', async () => {
  const list = createUploadList(dataDir, 3);
  for (const at of [1, 2, 3, 4]) await list.add(place, uploadOf(at));
  expect(list.of(place).map(({ uploadedAt }) => uploadedAt)).toEqual([4, 3, 2]);
});
