import WebSocket from 'ws';
import {
  terminalServerSchema,
  type TerminalClientMessage,
  type TerminalServerMessage,
} from '#contract/local/terminal.ts';
import type { TestEngine } from '../engine/engine.ts';
import { until } from '../core/until.ts';

type Told<T extends TerminalServerMessage['type']> = Extract<TerminalServerMessage, { type: T }>;

export interface AttachOptions {
  columns?: number;
  rows?: number;
  session?: string;
  from?: number;
  command?: string[];
  /** Tells at once that what came was shown; as a page does. */
  shows?: boolean;
}

/** A viewer of a terminal, as a page is one. */
export interface TestTerminal extends AsyncDisposable {
  readonly attached: Told<'attached'>;
  /** What has come, as text. */
  text(): string;
  bytes(): Buffer;
  /** Place of the next byte, in bytes since the session began. */
  place(): number;
  readonly messages: readonly TerminalServerMessage[];
  send(message: TerminalClientMessage): void;
  type(text: string): void;
  /** Waits until `text` has come; seen among the newest 64 KB. */
  sees(text: string): Promise<void>;
  hears<T extends TerminalServerMessage['type']>(type: T): Promise<Told<T>>;
  shownAll(): void;
  leave(): Promise<void>;
}

const RECENT_BYTES = 64 * 1024;

export function dial(engine: TestEngine, path: string, headers: Record<string, string> = {}): WebSocket {
  const url = new URL(path, engine.address.replace(/^http/, 'ws'));
  return new WebSocket(url, { headers: { authorization: `Bearer ${engine.key}`, ...headers } });
}

/** The status with which an attempt to open one is refused, and what is said. */
export function refusal(engine: TestEngine, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const socket = dial(engine, path, headers);
    socket.once('open', () => reject(new Error('It was let in')));
    socket.once('error', () => undefined);
    socket.once('unexpected-response', (_request, response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () => {
        socket.terminate();
        resolve({ status: response.statusCode ?? 0, text });
      });
    });
  });
}

export async function openTerminal(
  engine: TestEngine,
  path: string,
  { columns = 80, rows = 24, shows = true, ...more }: AttachOptions = {},
): Promise<TestTerminal> {
  const socket = dial(engine, path);
  const parts: Buffer[] = [];
  const received: TerminalServerMessage[] = [];
  let place = 0;
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const send = (message: TerminalClientMessage): void => socket.send(JSON.stringify(message));
  let shown = 0;
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) {
      const message = terminalServerSchema.parse(JSON.parse(data.toString()));
      if (message.type === 'attached') place = message.from;
      received.push(message);
      return;
    }
    parts.push(data);
    place += data.length;
    if (!shows || place - shown < 64 * 1024) return;
    shown = place;
    send({ type: 'shown', upTo: place });
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  send({ type: 'attach', columns, rows, ...more });
  const hears = <T extends TerminalServerMessage['type']>(type: T): Promise<Told<T>> =>
    until(
      `to hear ${type}`,
      () => received,
      (messages) => messages.find((message) => message.type === type) as Told<T> | undefined,
    );
  const answer = await until(
    'an answer',
    () => received,
    (messages) => messages.find(({ type }) => type === 'attached' || type === 'error'),
  );
  if (answer.type === 'error') {
    socket.terminate();
    throw new Error(answer.message);
  }
  const bytes = (): Buffer => Buffer.concat(parts);
  /** The newest of it, to be searched again and again: a flood comes in many small parts. */
  const recent = (): string => {
    let first = parts.length;
    for (let size = 0; first > 0 && size < RECENT_BYTES; size += parts[first]!.length) first -= 1;
    return Buffer.concat(parts.slice(first)).toString();
  };
  const leave = async (): Promise<void> => {
    socket.close();
    await closed;
  };
  return {
    attached: answer as Told<'attached'>,
    messages: received,
    bytes,
    text: () => bytes().toString(),
    place: () => place,
    send,
    type: (data) => send({ type: 'input', data }),
    sees: async (text) => {
      await until(`to see ${JSON.stringify(text)}`, recent, (output) => output.includes(text));
    },
    hears,
    shownAll: () => send({ type: 'shown', upTo: place }),
    leave,
    [Symbol.asyncDispose]: leave,
  };
}
