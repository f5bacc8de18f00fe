/** Rules of terminals for the page, against a real WebSocket server in the engine's place. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createRouterClient, implement } from '@orpc/server';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { terminalContract, type TerminalEvent } from '#contract/bridge/terminal.ts';
import { createOutbound } from '../compute/http/outbound.ts';
import { createTerminalsApi } from '../compute/terminals.ts';
import type { TerminalsApi } from '../platform/terminalPort.ts';
import type { Directory } from '../services/directory.ts';
import { bindTerminals } from './terminals.ts';

const VIEWER = '3b241101-e2bb-4255-8caf-4136c566a962';
const request = { accountId: 'a', viewer: VIEWER, kind: 'pod', targetId: 'p 1', columns: 80, rows: 24 } as const;
const attached = { type: 'attached', session: 's', from: 0, snapshot: null, columns: 80, rows: 24, command: ['sh'] };

const hostSession = {
  id: 'host-1',
  kind: 'host' as const,
  targetId: 'host',
  command: ['bash'],
  startedAt: '2026-01-01T00:00:00.000Z',
  viewers: 0,
};
/** The shells of this computer: one session, whose end it counts. */
let hostCloses = 0;
const hostTerminals: TerminalsApi = {
  list: async () => [hostSession],
  programs: async () => ['make'],
  async close() {
    hostCloses += 1;
  },
  async connect(_, listener) {
    return {
      say: () => listener.send({ type: 'ended', exitCode: 0, reason: 'It has ended.' }),
      leave: () => undefined,
    };
  },
};

const sshHosts = async () => ({ hosts: ['web'], unread: null, problem: null });

type Client = ReturnType<typeof client>['api'];
function client(port: number) {
  const outbound = createOutbound({
    target: () => Promise.resolve({ address: `http://127.0.0.1:${port}`, key: 'rpa_of_the_account' }),
    name: 'the test engine',
    logger: pino({ level: 'silent' }),
  });
  const directory = { compute: () => ({ terminals: createTerminalsApi(outbound) }) } as unknown as Directory;
  const life = new AbortController();
  const bound = bindTerminals(
    implement(terminalContract).use(({ next }) => next()),
    {
      directory,
      shells: {
        terminals: { of: () => expect.fail('the account has terminals of its own'), count: () => 0 },
        host: { of: () => hostTerminals, count: () => 0, problem: async () => 'It is switched off.', sshHosts },
      },
    },
    (signal) => signal ?? life.signal,
    (events) => events,
  );
  return { api: createRouterClient(bound), stop: () => outbound.stop() };
}

/** `seat` is the engine's side of the one terminal. */
async function withEngine(seat: (socket: WebSocket, path: string) => void, use: (api: Client) => Promise<void>) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  server.on('connection', (socket, { url, headers }) => {
    if (headers.authorization !== 'Bearer rpa_of_the_account') socket.terminate();
    seat(socket, url ?? '');
  });
  const { api, stop } = client((server.address() as AddressInfo).port);
  try {
    await use(api);
  } finally {
    await stop();
    for (const socket of server.clients) socket.terminate();
    server.close();
    await once(server, 'close');
  }
}

async function all(events: AsyncIterable<TerminalEvent>): Promise<TerminalEvent[]> {
  const received: TerminalEvent[] = [];
  for await (const event of events) received.push(event);
  return received;
}
const textOf = (events: readonly TerminalEvent[]): string =>
  Buffer.concat(
    events.flatMap((event) => (event.type === 'output' ? [Buffer.from(event.bytes, 'base64')] : [])),
  ).toString();

describe('shells of this computer', () => {
  const own = { ...request, accountId: THIS_MACHINE, kind: 'host' as const };

  it('are reached by the account of this computer, apart from its engine', async () => {
    await withEngine(
      () => expect.fail('the engine was asked'),
      async (api) => {
        expect(await all(await api.attach(own))).toEqual([{ type: 'ended', exitCode: 0, reason: 'It has ended.' }]);
        const session = { accountId: THIS_MACHINE, session: 'host-1' };
        expect(await api.programs(session)).toEqual({ programs: ['make'] });
        await api.close(session);
        expect(hostCloses).toBe(1);
        expect(await api.hostShell()).toEqual({ problem: 'It is switched off.' });
        const overSsh = { ...own, kind: 'ssh' as const, targetId: 'web' };
        expect(await all(await api.attach(overSsh))).toEqual([{ type: 'ended', exitCode: 0, reason: 'It has ended.' }]);
        expect(await api.sshHosts()).toEqual({ hosts: ['web'], unread: null, problem: null });
      },
    );
  });

  it('are refused to every remote account, by its kind and by the id of a session', async () => {
    await withEngine(
      () => expect.fail('the engine was asked'),
      async (api) => {
        for (const kind of ['host', 'ssh'] as const)
          await expect(api.attach({ ...own, kind, accountId: 'a' }).then(all)).rejects.toThrow('remote account');
        await expect(api.programs({ accountId: 'a', session: 'host-1' })).rejects.toThrow('remote account');
        await expect(api.close({ accountId: 'a', session: 'host-1' })).rejects.toThrow('remote account');
      },
    );
  });
});

describe('terminals of the bridge', () => {
  it('tell the page everything in its order, bytes as they are, and end with the shell', async () => {
    const seat = (socket: WebSocket, path: string): void => {
      expect(path).toBe('/local/v1/pods/p%201/terminal');
      socket.on('message', (data: Buffer) => {
        expect(JSON.parse(data.toString())).toEqual({ type: 'attach', columns: 80, rows: 24 });
        socket.send(JSON.stringify(attached));
        // One character, cut in two.
        for (const piece of [[0xc3], [0xa4], [0x0a]]) socket.send(Buffer.from(piece));
        socket.send(JSON.stringify({ type: 'ended', exitCode: 3, reason: 'exit' }));
      });
    };
    await withEngine(seat, async (api) => {
      const events = await all(await api.attach(request));
      expect(events[0]).toEqual(attached);
      expect(textOf(events)).toBe('ä\n');
      expect(events.at(-1)).toEqual({ type: 'ended', exitCode: 3, reason: 'exit' });
    });
  });

  it('carry what is typed, shown and resized to the shell of that viewer, and leave it when the page does', async () => {
    const messages: unknown[] = [];
    let left = (): void => undefined;
    const gone = new Promise<void>((resolve) => (left = resolve));
    const seat = (socket: WebSocket): void => {
      socket.on('message', (data: Buffer) => {
        messages.push(JSON.parse(data.toString()));
        socket.send(messages.length === 1 ? JSON.stringify(attached) : Buffer.from(`${messages.length}`));
      });
      socket.on('close', left);
    };
    await withEngine(seat, async (api) => {
      for await (const event of await api.attach(request)) {
        if (event.type === 'attached') {
          await api.input({ viewer: VIEWER, data: 'ls\r' });
          await api.shown({ viewer: VIEWER, upTo: 1 });
          await api.resize({ viewer: VIEWER, columns: 90, rows: 30 });
        } else if (textOf([event]).endsWith('4')) break;
      }
      await gone;
      expect(messages.slice(1)).toEqual([
        { type: 'input', data: 'ls\r' },
        { type: 'shown', upTo: 1 },
        { type: 'resize', columns: 90, rows: 30 },
      ]);
      // Nobody is there any more, which is no fault of who types.
      await api.input({ viewer: VIEWER, data: 'x' });
    });
  });

  it('say that a connection broke, so that the page comes back to the session', async () => {
    const seat = (socket: WebSocket): void => void socket.on('message', () => socket.terminate());
    await withEngine(seat, async (api) => {
      await expect(api.attach(request).then(all)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    });
  });
});
