import { expect, it } from 'vitest';
import { listLocalImages, namedImages } from './localImages.ts';

it('images are listed by each of their names, the newest first, and those without a name are left out', () => {
  const at = (Created: number, RepoTags: string[] | undefined, Size = 1) => ({ Created, Size, RepoTags });
  expect(
    namedImages([
      at(10, ['ubuntu:24.04', 'me/ubuntu:1'], 70_000_000),
      at(30, ['<none>:<none>']),
      at(20, ['me/model:2', 'me/old:<none>'], 5),
      // Of an image that was pulled by its digest the engine names no tags.
      at(40, undefined),
    ]),
  ).toEqual([
    { name: 'me/model:2', sizeBytes: 5, createdAt: '1970-01-01T00:00:20.000Z' },
    { name: 'ubuntu:24.04', sizeBytes: 70_000_000, createdAt: '1970-01-01T00:00:10.000Z' },
    { name: 'me/ubuntu:1', sizeBytes: 70_000_000, createdAt: '1970-01-01T00:00:10.000Z' },
  ]);
});

it('without a container engine there are none', async () => {
  expect(await listLocalImages({ find: () => Promise.resolve('Install Docker.') })).toEqual([]);
});
