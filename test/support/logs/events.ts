import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { LogLine } from '#contract/local/log.ts';
import { until } from '../core/until.ts';
import type { TestEngine } from '../engine/engine.ts';

export interface LogEvent {
  id: number;
  /** The line as JSON text. */
  json: string;
  line: LogLine;
}

/** A reader of events of any kind, as a browser would read them. */
export interface Events extends AsyncDisposable {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The next event; fails when the stream ends before. `what` is waited for, as a failure says it. */
  next(what?: string): Promise<{ id: string; data: string }>;
  /** How many comments have come so far. */
  comments(): number;
  /** Lets the connection fill up, or reads on. */
  pause(): void;
  resume(): void;
}

export async function openEvents(
  engine: TestEngine,
  path: string,
  headers: Record<string, string> = {},
): Promise<Events> {
  const agent = new Agent({ keepAlive: false });
  const outgoing = httpRequest(new URL(path, engine.address), {
    agent,
    headers: { authorization: `Bearer ${engine.key}`, ...headers },
  });
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
    outgoing.end();
  });
  const events: { id: string; data: string }[] = [];
  let comments = 0;
  let over = false;
  /** What came last, for a failure. */
  let newest = '';
  let rest = '';
  incoming.setEncoding('utf8').on('data', (text: string) => {
    newest = text.slice(-500);
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const match = /^id: (.+)\ndata: (.*)$/.exec(block);
      if (match) events.push({ id: match[1]!, data: match[2]! });
      else if (block.startsWith(':')) comments += 1;
      else throw new Error(`Neither an event nor a comment: ${block}`);
    }
  });
  for (const name of ['end', 'error', 'close']) {
    incoming.on(name, () => void (over = true));
  }
  outgoing.on('error', () => undefined);

  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    async next(what = 'the next event') {
      if (events.length === 0) {
        const state = () => ({ events: events.length, over, comments, newest });
        await until(what, state, (now) => now.events > 0 || now.over);
      }
      const event = events.shift();
      if (event === undefined) throw new Error('The events ended.');
      return event;
    },
    comments: () => comments,
    pause: () => void incoming.pause(),
    resume: () => void incoming.resume(),
    async [Symbol.asyncDispose]() {
      outgoing.destroy();
      agent.destroy();
    },
  };
}

/** A reader of GET /local/v1/logs/events. */
export interface LogEvents extends Omit<Events, 'next'> {
  next(): Promise<LogEvent>;
  /** All events up to one whose text is this. */
  upTo(text: string): Promise<LogEvent[]>;
}

/** `query` with its question mark. */
export async function openLogEvents(
  engine: TestEngine,
  query = '',
  headers: Record<string, string> = {},
): Promise<LogEvents> {
  const opened = await openEvents(engine, `/local/v1/logs/events${query}`, headers);
  async function next(what?: string): Promise<LogEvent> {
    const { id, data: json } = await opened.next(what);
    if (!/^\d+$/.test(id)) throw new Error(`The id of an event is no number: ${id}`);
    return { id: Number(id), json, line: JSON.parse(json) as LogLine };
  }
  return {
    ...opened,
    next: () => next(),
    async upTo(text) {
      const events: LogEvent[] = [];
      do events.push(await next(`the event of the line "${text}"`));
      while (events.at(-1)?.line.text !== text);
      return events;
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}
