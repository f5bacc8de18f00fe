import { once } from 'node:events';
import { createServer, ServerResponse, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ApiKeyCreated, ApiKeyUpdate } from '#contract/local/engine.ts';
import { createFakeClock, createFakeIds, silentLogger } from '../../../../test/support/core/fakes.ts';
import { until } from '../../../../test/support/core/until.ts';
import { createApiKeys, type ApiKeys } from '../../domain/access/apiKeys.ts';
import type { Terminals } from '../../domain/terminals/ports.ts';
import { createTerminalSockets, type TerminalSockets } from './terminalSockets.ts';

const nothing = (): void => undefined;
let keys: ApiKeys;
let key: ApiKeyCreated;
let sockets: TerminalSockets;
let server: Server;
/** What viewers did, in their order. */
let done: string[];

beforeEach(async () => {
  const clock = createFakeClock();
  const store = { load: () => [], save: nothing, saveUse: nothing, delete: nothing, claimFirstStart: () => false };
  keys = createApiKeys(store, createFakeIds(), clock, 'run-key');
  key = keys.create({ name: 'a key', scope: 'all' });
  done = [];
  const seat = {
    input: (data: string) => void done.push(data),
    resize: nothing,
    shown: nothing,
    close: async () => undefined,
    leave: () => void done.push('left'),
  };
  const terminals: Terminals = {
    find: async () => undefined,
    list: () => [],
    programs: async () => null,
    close: async () => undefined,
    stop: async () => undefined,
    async attach() {
      done.push('attached');
      return seat;
    },
  };
  sockets = createTerminalSockets({ clock, keys, logger: silentLogger, terminals });
  server = createServer().listen(0, '127.0.0.1');
  server.on('upgrade', (request, socket: Socket, head) => {
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    sockets.serve({ kind: 'pod', id: 'p' }, request, response, head);
  });
  await once(server, 'listening');
});
afterEach(async () => {
  sockets.stop();
  server.close();
  await once(server, 'close');
});

async function viewer(): Promise<WebSocket> {
  const address = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/local/v1/pods/p/terminal`;
  const socket = new WebSocket(address, { headers: { authorization: key.key } });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'attach', columns: 80, rows: 24 }));
  await until('the viewer to be attached', () => done.length, 1);
  return socket;
}

test.each<[string, ApiKeyUpdate | null]>([
  ['deleted', null],
  ['disabled', { disabled: true }],
  ['good for jobs alone', { scope: 'jobs' }],
])('a viewer of a terminal is sent away, with the reason, once its key is %s', async (_, change) => {
  const socket = await viewer();
  if (change) keys.update(key.id, change);
  else keys.delete(key.id);
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer];
  expect([code, reason.toString()]).toEqual([1008, 'The API key does not allow this any more.']);
  await until('the viewer to have left', () => done.at(-1), 'left');
  expect(done).toEqual(['attached', 'left']);
});

test('a viewer of a terminal stays while its key is only named anew', async () => {
  const socket = await viewer();
  keys.update(key.id, { name: 'another' });
  socket.send(JSON.stringify({ type: 'input', data: 'ls' }));
  await until('the input', () => done.at(-1), 'ls');
  socket.terminate();
  await until('the viewer to have left', () => done.at(-1), 'left');
});
