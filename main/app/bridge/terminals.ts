/** Terminals for the page: the app holds the connection with the key, the page is sent what comes and says what it has shown. */
import { AppError } from '#contract/errors.ts';
import { terminalServerSchema, type TerminalClientMessage } from '#contract/terminal.ts';
import type { TerminalAttach, terminalContract, TerminalEvent } from '#contract/terminalBridge.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { TerminalSocket } from '../compute/terminals.ts';
import type { Directory } from '../directory.ts';
import { createBell } from './bell.ts';

/** What is sent to the page together at most. The engine itself holds back what was not shown. */
const PIECE_BYTES = 128 * 1024;

type Told = Exclude<TerminalEvent, { type: 'output' }>;

/** What has come and was not sent on yet, in its order: output that follows output becomes one piece. */
function createWaiting() {
  const waiting: (Told | Buffer)[] = [];
  return {
    push: (came: Told | Buffer) => void waiting.push(came),
    next(): TerminalEvent | null {
      const first = waiting.shift();
      if (first === undefined) return null;
      if (!Buffer.isBuffer(first)) return first;
      const pieces = [first];
      let length = first.length;
      while (length < PIECE_BYTES && Buffer.isBuffer(waiting[0])) {
        const piece = waiting.shift() as Buffer;
        pieces.push(piece);
        length += piece.length;
      }
      return { type: 'output', bytes: Buffer.concat(pieces).toString('base64') };
    },
  };
}

/** Ends after `ended` or a refusal; rejects when the connection breaks. */
async function* follow(
  socket: TerminalSocket,
  attach: Extract<TerminalClientMessage, { type: 'attach' }>,
  signal: AbortSignal,
): AsyncGenerator<TerminalEvent, void, void> {
  const bell = createBell(signal);
  const waiting = createWaiting();
  let closed = false;
  socket.on('message', (data: Buffer, isBinary) => {
    waiting.push(isBinary ? data : terminalServerSchema.parse(JSON.parse(data.toString())));
    bell.ring();
  });
  socket.on('close', () => {
    closed = true;
    bell.ring();
  });
  socket.send(JSON.stringify(attach));
  try {
    while (!signal.aborted) {
      for (let event = waiting.next(); event !== null; event = waiting.next()) {
        yield event;
        if (event.type === 'ended') return;
      }
      if (closed) throw new AppError('UNAVAILABLE', 'The connection to the terminal broke.');
      await bell.heard();
    }
  } finally {
    bell.stop();
    socket.terminate();
  }
}

export function bindTerminals(
  terminals: ImplementerInternalWithMiddlewares<typeof terminalContract, object, object>,
  directory: Directory,
  lifeOf: (signal: AbortSignal | undefined) => AbortSignal,
  translated: <T>(events: AsyncGenerator<T, void, void>) => AsyncGenerator<T, void, void>,
) {
  const viewers = new Map<string, TerminalSocket>();

  const of = (accountId: string) => {
    const api = directory.compute(accountId).terminals;
    if (api !== null) return api;
    throw new AppError('NOT_FOUND', 'This account has no terminals; only an engine of Hangar does.');
  };

  async function* attach(input: TerminalAttach, signal: AbortSignal): AsyncGenerator<TerminalEvent, void, void> {
    const { accountId, viewer, kind, targetId, ...request } = input;
    const socket = await of(accountId).connect({ kind, targetId }, signal);
    viewers.set(viewer, socket);
    try {
      yield* follow(socket, { type: 'attach', ...request }, signal);
    } finally {
      viewers.delete(viewer);
      socket.terminate();
    }
  }

  /** A viewer that has just left is told nothing: what it has typed had nowhere to go. */
  const say = (viewer: string, message: TerminalClientMessage): void =>
    viewers.get(viewer)?.send(JSON.stringify(message));

  return {
    list: terminals.list.handler(({ input }) => of(input.accountId).list()),
    attach: terminals.attach.handler(({ input, signal }) => translated(attach(input, lifeOf(signal)))),
    input: terminals.input.handler(({ input: { viewer, data } }) => say(viewer, { type: 'input', data })),
    resize: terminals.resize.handler(({ input: { viewer, columns, rows } }) =>
      say(viewer, { type: 'resize', columns, rows }),
    ),
    shown: terminals.shown.handler(({ input: { viewer, upTo } }) => say(viewer, { type: 'shown', upTo })),
    close: terminals.close.handler(({ input }) => of(input.accountId).close(input.session)),
  };
}
