import { expect, it } from 'vitest';
import { createImageList, imagesByName, removeLocalImage } from './localImages.ts';

it('images are listed by each of their names, the newest first, and those without a tag by their digest or their id', () => {
  const at = (Created: number, RepoTags: string[] | undefined, Size = 1) => ({
    Id: `${Created}`,
    Created,
    Size,
    RepoTags,
  });
  const containers = [
    { ImageID: '20', Names: ['/hangar-pod'] },
    { ImageID: '7', Names: ['/of-another-image'] },
  ];
  expect(
    imagesByName(
      [
        at(10, ['ubuntu:24.04', 'me/ubuntu:1'], 70_000_000),
        { ...at(30, ['<none>:<none>']), RepoDigests: ['<none>@<none>'] },
        at(20, ['me/model:2', 'me/old:<none>'], 5),
        // Of an image that was pulled by its digest the engine names no tags.
        { ...at(40, undefined), RepoDigests: ['me/pinned@sha256:40'] },
      ],
      containers,
      new Map([
        ['20', ['22/tcp', '8000/tcp']],
        ['10', []],
      ]),
    ),
  ).toEqual([
    { id: '40', name: 'me/pinned@sha256:40', sizeBytes: 1, createdAt: '1970-01-01T00:00:40.000Z', containers: [] },
    { id: '30', name: '30', sizeBytes: 1, createdAt: '1970-01-01T00:00:30.000Z', containers: [] },
    {
      id: '20',
      name: 'me/model:2',
      sizeBytes: 5,
      createdAt: '1970-01-01T00:00:20.000Z',
      containers: ['hangar-pod'],
      ports: ['22/tcp', '8000/tcp'],
    },
    {
      id: '10',
      name: 'ubuntu:24.04',
      sizeBytes: 70_000_000,
      createdAt: '1970-01-01T00:00:10.000Z',
      containers: [],
      ports: [],
    },
    {
      id: '10',
      name: 'me/ubuntu:1',
      sizeBytes: 70_000_000,
      createdAt: '1970-01-01T00:00:10.000Z',
      containers: [],
      ports: [],
    },
  ]);
});

it('without a container engine there are none, and none can be removed', async () => {
  const finder = { find: () => Promise.resolve('Install Docker.') };
  expect(await createImageList(finder)()).toEqual([]);
  await expect(removeLocalImage(finder, 'me/model')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'Install Docker.',
  });
});
