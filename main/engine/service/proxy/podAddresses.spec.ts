/** What a caller of a port of a Pod hears where nothing listens: real connections. */
import { once } from 'node:events';
import { Agent, createServer, get, type OutgoingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import { createFakeClock, silentLogger } from '../../../../test/support/core/fakes.ts';
import { freePort } from '../../../../test/support/http/freePort.ts';
import { systemClock } from '../../runtime/host/systemClock.ts';
import { createPodAddresses, type PodAddressesOptions } from './podAddresses.ts';

let agent: Agent;
let servers: Server[];
beforeEach(() => {
  agent = new Agent();
  servers = [];
});
afterEach(async () => {
  agent.destroy();
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Asks for port 8888 of a Pod that is reached so. */
async function ask(
  reach: PodAddressesOptions['pods']['reach'],
  headers: OutgoingHttpHeaders,
  clock: PodAddressesOptions['clock'] = systemClock,
) {
  const addresses = createPodAddresses({
    clock,
    logger: silentLogger,
    // A caller of this machine needs no key.
    keys: {} as PodAddressesOptions['keys'],
    pods: { reach },
    agents: { keepAlive: agent, single: agent },
  });
  const port = await listen(createServer((request, response) => void addresses.serve(request, response, null)));
  const request = get({ host: '127.0.0.1', port, agent, headers: { host: 'p1-8888.localhost', ...headers } });
  const [answer] = await once(request, 'response');
  addresses.stop();
  return { status: answer.statusCode, type: answer.headers['content-type'], text: await text(answer) };
}

test('a browser gets a page in words from a port that nothing listens at, and a program gets JSON', async () => {
  const port = await freePort();
  const reach = () => ({ host: '127.0.0.1', port, name: '<web>' });
  const page = await ask(reach, { accept: 'text/html,*/*', 'sec-fetch-mode': 'navigate' });
  expect(page).toMatchObject({ status: 502, type: 'text/html; charset=utf-8' });
  expect(page.text).toContain('<h1>Port 8888 does not answer</h1>');
  expect(page.text).toContain('Port 8888 of the Pod "&lt;web&gt;"');
  for (const headers of [{ accept: '*/*' }, { accept: 'text/html', 'sec-fetch-mode': 'cors' }]) {
    const answer = await ask(reach, headers);
    expect(answer.status).toBe(502);
    expect(JSON.parse(answer.text)).toMatchObject({ status: 502 });
  }
});

test.each([
  ['nothing listens at', freePort],
  // As the proxy of a container engine does for a port of a container that nothing listens at.
  ['closes each connection', () => listen(createServer((request) => request.socket.destroy()))],
])('a port that %s is told without a wait', async (_what, makePort) => {
  const port = await makePort();
  const clock = createFakeClock();
  const { status } = await ask(() => ({ host: '127.0.0.1', port, name: 'web' }), { accept: 'text/html' }, clock);
  expect(status).toBe(502);
  expect(clock.pending()).toBe(0);
});

test('a browser gets a page in words of a Pod that is stopped', async () => {
  const reach = () => {
    throw new AppError('UNAVAILABLE', 'The Pod is stopped.');
  };
  const page = await ask(reach, { accept: 'text/html' });
  expect(page.type).toBe('text/html; charset=utf-8');
  expect(page.text).toContain('The Pod is stopped.');
});
