import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { limits } from '#contract/core/limits.ts';
import type { TerminalServerMessage } from '#contract/local/terminal.ts';
import { createFakeClock } from '../../../test/support/core/fakeClock.ts';
import { createOutbound } from './http/outbound.ts';
import { createTerminalsApi } from './terminals.ts';

it.each(['{"type":"new"}', 'not JSON'])(
  'A terminal ends with a reason at a message that nobody knows: %s',
  async (text) => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    server.on('connection', (socket) => socket.on('message', () => socket.send(text)));
    const { port } = server.address() as AddressInfo;
    const outbound = createOutbound({
      name: 'the engine',
      logger: pino({ level: 'silent' }),
      target: () => Promise.resolve({ address: `http://127.0.0.1:${port}`, key: 'a-key-of-the-test' }),
    });
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const messages: TerminalServerMessage[] = [];
    const listener = { output: () => undefined, send: messages.push.bind(messages), closed: resolve };
    const target = { kind: 'pod', targetId: 'p' } as const;
    const connection = await createTerminalsApi(outbound).connect(target, listener, new AbortController().signal);
    connection.say({ type: 'attach', columns: 80, rows: 24 });
    await closed;
    const message = 'The answer to "terminal" is not what the service description says.';
    expect(messages).toEqual([{ type: 'error', message }]);
    await outbound.stop();
    server.close();
    await once(server, 'close');
  },
);

const PULSE_MS = limits.eventStreamPulseMs;

/** A terminal at a server that may leave pings without an answer. */
async function openTerminal({ autoPong }: { autoPong: boolean }) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', autoPong });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const outbound = createOutbound({
    name: 'the engine',
    logger: pino({ level: 'silent' }),
    target: () => Promise.resolve({ address: `http://127.0.0.1:${port}`, key: 'a-key-of-the-test' }),
  });
  const clock = createFakeClock();
  const { promise: closed, resolve } = Promise.withResolvers<'closed'>();
  const near = Promise.withResolvers<WebSocket>();
  const api = createTerminalsApi(
    {
      ...outbound,
      async socket(call) {
        const socket = await outbound.socket(call);
        near.resolve(socket);
        return socket;
      },
    },
    clock,
  );
  const connected = once(server, 'connection');
  const listener = { output: () => undefined, send: () => undefined, closed: () => resolve('closed') };
  const connection = await api.connect({ kind: 'pod', targetId: 'p' }, listener, new AbortController().signal);
  const [far] = (await connected) as [WebSocket];
  return {
    clock,
    closed,
    near: await near.promise,
    far,
    connection,
    async [Symbol.asyncDispose]() {
      connection.leave();
      await closed;
      await outbound.stop();
      server.close();
      await once(server, 'close');
    },
  };
}

it('A terminal whose connection answers nothing for two pulses is closed, as after a pulled cable', async () => {
  await using terminal = await openTerminal({ autoPong: false });
  terminal.clock.advance(PULSE_MS);
  await once(terminal.far, 'ping');
  expect(terminal.near.readyState).toBe(terminal.near.OPEN);
  terminal.clock.advance(PULSE_MS);
  expect(await terminal.closed).toBe('closed');
  expect(terminal.clock.pending()).toBe(0);
});

it.each([
  ['an answer', true, 'pong'],
  ['output alone', false, 'message'],
] as const)('A terminal with %s stays open, however long nobody types', async (_words, autoPong, event) => {
  await using terminal = await openTerminal({ autoPong });
  const { clock, near, far } = terminal;
  for (let pulse = 0; pulse < 5; pulse += 1) {
    const answer = once(near, event);
    const ping = once(far, 'ping');
    clock.advance(PULSE_MS);
    await ping;
    if (!autoPong) far.send(Buffer.from('x'));
    await answer;
  }
  expect(near.readyState).toBe(near.OPEN);
});
