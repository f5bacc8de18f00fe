import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Docker from 'dockerode';
import { expect, it } from 'vitest';
import type { ContainerEngine } from './engine/discovery.ts';
import { amountsOf, measureContainerDisk } from './diskUsage.ts';

const answer = (SharedSize: number) => ({
  LayersSize: 900,
  Images: [
    { RepoTags: ['used:1'], Size: 500, SharedSize: 100, Containers: 1 },
    { RepoTags: ['unused:1'], Size: 300, SharedSize, Containers: 0 },
    { RepoTags: ['of-a-template:1'], Size: 200, SharedSize: 0, Containers: 0 },
    // Of a build, or of a tag that another image has now: it is not in the list of images.
    { RepoTags: null, Size: 50, SharedSize: 0, Containers: 0 },
  ],
  Containers: [{ SizeRw: 7, Labels: { own: 'yes' } }, { Labels: { own: 'yes' } }, { SizeRw: 1000, Labels: {} }],
});
const isOwn = ({ own }: Record<string, string>): boolean => own === 'yes';
const isUsed = (name: string): boolean => name === 'of-a-template:1';

it('images count with layers that they share once, and what only unused ones have can be freed', () => {
  expect(amountsOf(answer(100), isOwn, isUsed)).toEqual({
    images: { bytes: 900, count: 4, freeableBytes: 200 },
    containers: { bytes: 7, count: 2 },
  });
  // It may share its layers with another unused one: something may be freed.
  expect(amountsOf({ Images: answer(300).Images.slice(0, 2) }, isOwn, isUsed).images.freeableBytes).toBe(null);
  // An engine that does not compute it says -1.
  expect(amountsOf(answer(-1), isOwn, isUsed).images.freeableBytes).toBe(null);
  expect(amountsOf({}, isOwn, isUsed)).toEqual({
    images: { bytes: 0, count: 0, freeableBytes: 0 },
    containers: { bytes: 0, count: 0 },
  });
});

it('the answer of an engine from version 1.52 of the API on tells the same in its own fields', () => {
  const { LayersSize, Images, Containers } = answer(100);
  const newer = {
    ImageUsage: { ActiveCount: 1, TotalCount: 4, TotalSize: LayersSize, Items: Images },
    ContainerUsage: { ActiveCount: 1, TotalCount: 3, Items: Containers },
  };
  expect(amountsOf(newer, isOwn, isUsed)).toEqual(amountsOf(answer(100), isOwn, isUsed));
  // It leaves out what is 0 or empty.
  expect(amountsOf({ ImageUsage: {} }, isOwn, isUsed)).toEqual(amountsOf({}, isOwn, isUsed));
});

it('an engine of any version is asked for images and containers alone, each by itself', async () => {
  const paths: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    paths.push(url);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(url === '/info' ? {} : answer(100)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const engine = { docker: new Docker({ host: '127.0.0.1', port }), name: 'Docker' } as ContainerEngine;
    const finder = { find: () => Promise.resolve(engine) };
    const folder = { get: () => 'id', used: () => true };
    expect(await measureContainerDisk(finder, folder, [])).toMatchObject({ images: { bytes: 900 } });
    expect(paths).toEqual(['/system/df?type=container&type=image&verbose=1', '/info']);
  } finally {
    server.close();
    // The client keeps its connection for later requests.
    server.closeAllConnections();
  }
});

it('without a container engine the reason is told', async () => {
  const finder = { find: () => Promise.resolve('Install Docker.') };
  expect(await measureContainerDisk(finder, { get: () => 'id', used: () => false }, [])).toBe('Install Docker.');
});
