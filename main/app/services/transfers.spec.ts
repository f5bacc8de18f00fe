/** Rules of the running transfers: which downloads count, and how far they are. */
import { expect, it } from 'vitest';
import { createFakeClock } from '../../../test/support/core/fakeClock.ts';
import { createTransfers } from './transfers.ts';

function made() {
  const clock = createFakeClock();
  const uploads = [{ doneBytes: 1, totalBytes: 4 }];
  return { clock, transfers: createTransfers({ uploads: { list: () => uploads }, clock }), uploads };
}

it('a download counts from its first read to its last byte, beside the uploads', () => {
  const { transfers, uploads } = made();
  transfers.noteRead('a', { doneBytes: 0, totalBytes: 10 });
  transfers.noteRead('b', { doneBytes: 0, totalBytes: 20 });
  transfers.noteRead('a', { doneBytes: 5, totalBytes: 10 });
  expect(transfers.list()).toMatchObject([
    ...uploads,
    { doneBytes: 5, totalBytes: 10 },
    { doneBytes: 0, totalBytes: 20 },
  ]);
  transfers.noteRead('a', { doneBytes: 10, totalBytes: 10 });
  expect(transfers.list()).toMatchObject([...uploads, { doneBytes: 0, totalBytes: 20 }]);
});

it('a download that a page gave up counts for ten seconds', () => {
  const { clock, transfers } = made();
  transfers.noteRead('a', { doneBytes: 5, totalBytes: 10 });
  clock.advance(9999);
  expect(transfers.list()).toHaveLength(2);
  clock.advance(1);
  expect(transfers.list()).toHaveLength(1);
});
