import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { TerminalServerMessage } from '#contract/local/terminal.ts';
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
