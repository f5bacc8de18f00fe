import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Docker from 'dockerode';
import { expect, it } from 'vitest';
import { until } from '../../../../../test/support/core/until.ts';
import type { ContainerEngine } from '../engine/discovery.ts';
import { createImagePulls } from './pulls.ts';

it('who asks for an image while its pull is being cancelled gets a new pull', async () => {
  let begun = 0;
  let running = 0;
  const server = createServer((_, response) => {
    begun++;
    running++;
    response.on('close', () => running--);
    response.write('{"status":"Pulling fs layer","id":"a"}\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const engine = { docker: new Docker({ host: '127.0.0.1', port }), place: { address: 'here' } } as ContainerEngine;
  const pulls = createImagePulls();
  const get = (signal: AbortSignal): Promise<void> =>
    pulls.get({ engine, name: 'me/model', credentials: null, isUpdate: true }, signal, () => undefined);
  try {
    const [first, second] = [new AbortController(), new AbortController()];
    const cancelled = get(first.signal).catch((error: unknown) => error);
    await until('the first pull', () => running, 1);
    first.abort();
    expect(await cancelled).toMatchObject({ name: 'AbortError' });
    const again = get(second.signal).catch((error: unknown) => error);
    await until('the second pull in its place', () => begun === 2 && running === 1);
    second.abort();
    expect(await again).toMatchObject({ name: 'AbortError' });
    await until('the end of both', () => running, 0);
  } finally {
    server.close();
  }
});
