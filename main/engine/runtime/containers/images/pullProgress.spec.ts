import { expect, test } from 'vitest';
import { createPullProgress } from './pullProgress.ts';

const download = (id: string, current: number, total: number) => ({
  id,
  status: 'Downloading',
  progressDetail: { current, total },
});

test('a pull is as far as its bytes are: downloaded is one half of a layer, unpacked the other', () => {
  const progress = createPullProgress();
  progress.take({ id: '1', status: 'Pulling from me/image' });
  expect(progress.percent()).toBe(null);
  progress.take({ id: 'a', status: 'Pulling fs layer' });
  progress.take({ id: 'b', status: 'Pulling fs layer' });
  expect(progress.percent()).toBe(0);
  progress.take(download('a', 450, 900));
  progress.take(download('b', 0, 100));
  expect(progress.percent()).toBe(22);
  progress.take({ id: 'a', status: 'Download complete' });
  expect(progress.percent()).toBe(45);
  progress.take({ id: 'a', status: 'Pull complete' });
  progress.take({ id: 'b', status: 'Pull complete' });
  expect(progress.percent()).toBe(100);
});

test('a pull never goes back, also when the size of a layer turns out larger', () => {
  const progress = createPullProgress();
  progress.take(download('a', 90, 100));
  expect(progress.percent()).toBe(45);
  progress.take(download('b', 0, 1_000_000));
  expect(progress.percent()).toBe(45);
});

test('layers that are here already are no part of how far a pull is', () => {
  const progress = createPullProgress();
  for (const id of ['a', 'b', 'c']) progress.take({ id, status: 'Already exists' });
  expect(progress.percent()).toBe(null);
  progress.take({ id: 'd', status: 'Pulling fs layer' });
  expect(progress.percent()).toBe(0);
  progress.take(download('d', 50, 100));
  expect(progress.percent()).toBe(25);
});

test('the amounts are those of the download, and the whole is known once the size of each layer is', () => {
  const progress = createPullProgress();
  expect(progress.amounts()).toEqual({ downloadedBytes: 0, totalBytes: null, layers: 0, layersDone: 0 });
  for (const id of ['a', 'b']) progress.take({ id, status: 'Pulling fs layer' });
  progress.take({ id: 'c', status: 'Already exists' });
  progress.take(download('a', 450, 900));
  expect(progress.amounts()).toEqual({ downloadedBytes: 450, totalBytes: null, layers: 3, layersDone: 1 });
  progress.take(download('b', 10, 100));
  expect(progress.amounts()).toEqual({ downloadedBytes: 460, totalBytes: 1000, layers: 3, layersDone: 1 });
  for (const id of ['a', 'b']) progress.take({ id, status: 'Download complete' });
  // The bytes of the unpacking are no download.
  progress.take({ id: 'a', status: 'Extracting', progressDetail: { current: 1, total: 900 } });
  expect(progress.amounts()).toEqual({ downloadedBytes: 1000, totalBytes: 1000, layers: 3, layersDone: 1 });
  for (const id of ['a', 'b']) progress.take({ id, status: 'Pull complete' });
  expect(progress.amounts().layersDone).toBe(3);
});
