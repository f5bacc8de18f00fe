import { expect, it } from 'vitest';
import { bytesOf, imageRows, shownName, unusedImages } from './imageUse.ts';

const image = (name: string, sizeBytes: number, containers?: string[]) => ({
  name,
  sizeBytes,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...(containers && { containers }),
});

it('an image is unused without a container and without a template, whose name may lack the tag "latest"', () => {
  const images = [image('me/a:latest', 1, []), image('me/b:2', 2, ['pod']), image('me/c:1', 3, []), image('me/d:1', 4)];
  const templates = [
    { id: 'a', name: 'A', imageName: 'me/a' },
    { id: 'd', name: 'D', imageName: 'host:5000/me/d:1' },
  ];
  const rows = imageRows(images, templates, []);
  expect(rows.map(({ usedBy }) => usedBy)).toEqual([[{ kind: 'template', id: 'a', name: 'A' }], [], [], []]);
  expect(unusedImages(rows).map(({ name }) => name)).toEqual(['me/c:1', 'me/d:1']);
});

it('an image that a Pod uses has the name of the Pod, and is not unused', () => {
  const containers = ['hangar-pod-4f2c-930a01', 'hangar-pod-gone-930a01', 'postgres'];
  const rows = imageRows(
    [image('me/a:1', 1, containers), image('me/b:1', 1, containers.slice(0, 1))],
    [],
    [{ id: '4f2c', name: 'trainer', imageName: 'me/other:1' }],
  );
  expect(rows[0]).toMatchObject({
    usedBy: [{ kind: 'pod', id: '4f2c', name: 'trainer' }],
    usedByContainers: ['hangar-pod-gone-930a01', 'postgres'],
  });
  expect(unusedImages(rows)).toEqual([]);
});

it('an image that a stopped Pod starts from is not unused, although it has no container', () => {
  const pods = [{ id: '4f2c', name: 'trainer', imageName: 'me/a' }];
  const rows = imageRows([image('me/a:latest', 1, []), image('me/b:1', 1, [])], [], pods);
  expect(rows[0]?.usedBy).toEqual([{ kind: 'pod', id: '4f2c', name: 'trainer' }]);
  expect(unusedImages(rows).map(({ name }) => name)).toEqual(['me/b:1']);
});

it('an image is removed with its last name alone, and the Pods with containers of it are known', () => {
  const of = (id: string, name: string, containers: string[]) => ({ ...image(name, 5, containers), id });
  const inPod = ['hangar-pod-4f2c-930a01'];
  const images = [of('a', 'me/a:1', inPod), of('a', 'me/a:2', inPod), of('b', 'me/b:1', inPod)];
  // The Pod of the template me/b:1 has its container from another image.
  const pods = [
    { id: '4f2c', name: 'trainer', imageName: 'me/a:1' },
    { id: '5a3d', name: 'later', imageName: 'me/b:1' },
  ];
  const rows = imageRows(images, [], pods);
  expect(rows.map(({ isLastName }) => isLastName)).toEqual([false, false, true]);
  expect(rows[2]?.podsOnIt).toEqual([{ kind: 'pod', id: '4f2c', name: 'trainer' }]);
});

it('two names of one image count once', () => {
  const of = (id: string, name: string) => ({ ...image(name, 5), id });
  expect(bytesOf([of('a', 'me/a:1'), of('a', 'me/a:2'), of('b', 'me/b:1'), image('me/c:1', 5)])).toBe(15);
});

it('an image without a tag has the begin of its digest as its name, and is the first to be removed', () => {
  const digest = `sha256:${'4f2c'.repeat(16)}`;
  const rows = imageRows([image('me/c:1', 3, []), image(digest, 2, []), image(`me/d@${digest}`, 1, ['busy'])], [], []);
  expect(rows.map(shownName)).toEqual(['me/c:1', 'without a name, 4f2c4f2c4f2c', 'me/d, without a tag, 4f2c4f2c4f2c']);
  expect(unusedImages(rows).map(({ name }) => name)).toEqual([digest, 'me/c:1']);
});
