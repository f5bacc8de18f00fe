import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Docker from 'dockerode';
import { expect, it } from 'vitest';
import { until } from '../../../../../test/support/core/until.ts';
import type { ContainerEngine, EngineFinder } from '../engine/discovery.ts';
import { createRequestedPulls } from './requestedPulls.ts';

const log = () => undefined;
const pullsOf = (find: EngineFinder['find']) =>
  createRequestedPulls({
    finder: { find },
    clock: { now: () => 0 },
    ids: { random: () => 'a', digest: () => '' },
    logger: { debug: log, info: log, warn: log, error: log },
  });

it('without a container engine nothing is pulled, and the reason is told', async () => {
  const pulls = pullsOf(() => Promise.resolve('Install Docker.'));
  await expect(pulls.start({ name: 'ubuntu:24.04' }, null)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'Install Docker.',
  });
  expect(pulls.list()).toEqual([]);
});

it('a stop ends each pull at the container engine', async () => {
  let running = 0;
  const server = createServer((_, response) => {
    running++;
    response.on('close', () => running--);
    response.write('{"status":"Pulling fs layer","id":"a"}\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const docker = new Docker({ host: '127.0.0.1', port });
    const engine = { docker, name: 'Docker', place: { address: 'here' } } as ContainerEngine;
    const pulls = pullsOf(() => Promise.resolve(engine));
    await pulls.start({ name: 'me/model' }, null);
    await until('the pull', () => running, 1);
    pulls.stop();
    await until('its end', () => running, 0);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
