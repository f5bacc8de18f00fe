/**
 * Reads what `strace -f -xx` wrote of a program: which bytes it gave to which file, what it had synced, and whom it
 * answered.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** One system call. Times are line numbers of the trace. */
interface Call {
  name: string;
  /** Arguments and result, as they stand. */
  text: string;
  enteredAt: number;
  endedAt: number;
}

export type TraceEvent =
  | { kind: 'open'; at: number; fd: number; path: string; creates: boolean; truncates: boolean }
  | { kind: 'close'; at: number; fd: number }
  | { kind: 'read'; at: number; fd: number; data: Buffer }
  /** Without an offset: where the last one ended. */
  | { kind: 'write'; at: number; fd: number; offset: number | null; data: Buffer }
  /** `startedAt`: what was written before that is on disk when it has ended. */
  | { kind: 'sync'; at: number; startedAt: number; fd: number }
  | { kind: 'truncate'; at: number; fd: number; length: number }
  | { kind: 'rename'; at: number; from: string; to: string }
  | { kind: 'unlink'; at: number; path: string }
  | { kind: 'mkdir'; at: number; path: string };

export const TRACED = [
  'openat',
  'close',
  'read',
  'write',
  'writev',
  'pwrite64',
  'pwritev',
  'fsync',
  'fdatasync',
  'ftruncate',
  'rename',
  'renameat',
  'renameat2',
  'unlink',
  'unlinkat',
  'mkdir',
  'mkdirat',
];

async function* callsOf(file: string): AsyncGenerator<Call> {
  const begun = new Map<string, { text: string; at: number }>();
  let at = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    at++;
    const space = line.indexOf(' ');
    const pid = line.slice(0, space);
    let text = line.slice(space).trimStart();
    let enteredAt = at;
    if (text.endsWith('<unfinished ...>')) {
      begun.set(pid, { text: text.slice(0, -'<unfinished ...>'.length), at });
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(text);
    if (resumed) {
      const first = begun.get(pid);
      if (!first) continue;
      begun.delete(pid);
      text = first.text + text.slice(resumed[0].length);
      enteredAt = first.at;
    }
    const open = text.indexOf('(');
    if (open > 0) yield { name: text.slice(0, open), text: text.slice(open + 1), enteredAt, endedAt: at };
  }
}

const bytesOf = (escaped: string): Buffer => Buffer.from(escaped.replaceAll('\\x', ''), 'hex');
/** Every quoted string among the arguments. */
const strings = (text: string): Buffer[] =>
  [...text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map((one) => bytesOf(one[1]!));
const first = (text: string): number => Number.parseInt(text, 10);

function toEvent({ name, text, enteredAt, endedAt: at }: Call): TraceEvent | null {
  const result = Number(/= (-?\d+)[^=]*$/.exec(text)?.[1] ?? -1);
  if (result < 0) return null;
  switch (name) {
    case 'openat': {
      const path = strings(text)[0]?.toString() ?? '';
      return {
        kind: 'open',
        at,
        fd: result,
        path,
        creates: text.includes('O_CREAT'),
        truncates: text.includes('O_TRUNC'),
      };
    }
    case 'close':
      // The number is free as soon as the call begins: another thread may have opened a file by it before the call
      // ends.
      return { kind: 'close', at: enteredAt, fd: first(text) };
    case 'read':
      return { kind: 'read', at, fd: first(text), data: strings(text)[0] ?? Buffer.alloc(0) };
    case 'write':
    case 'writev':
    case 'pwrite64':
    case 'pwritev': {
      const data = Buffer.concat(strings(text)).subarray(0, result);
      const offset = name.startsWith('p') ? Number(/, (\d+)\s*\)\s*=/.exec(text)![1]) : null;
      // What is being written may reach the disk, or the reader, before the call has ended.
      return { kind: 'write', at: enteredAt, fd: first(text), offset, data };
    }
    case 'fsync':
    case 'fdatasync':
      return { kind: 'sync', at, startedAt: enteredAt, fd: first(text) };
    case 'ftruncate':
      return { kind: 'truncate', at, fd: first(text), length: Number(/, (\d+)\s*\)/.exec(text)![1]) };
    case 'rename':
    case 'renameat':
    case 'renameat2': {
      const [from, to] = strings(text);
      return { kind: 'rename', at, from: String(from), to: String(to) };
    }
    case 'unlink':
    case 'unlinkat':
      return { kind: 'unlink', at, path: String(strings(text)[0]) };
    default:
      return { kind: 'mkdir', at, path: String(strings(text)[0]) };
  }
}

/** What happened, in order. */
export async function readTrace(file: string): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  for await (const call of callsOf(file)) {
    const event = toEvent(call);
    if (event) events.push(event);
  }
  return events.sort((a, b) => a.at - b.at);
}

/** An answer as its reader could have seen it. */
export interface Acknowledgement {
  at: number;
  /** First line of the request: method, path, version. */
  request: string;
  status: number;
  body: string;
}

/** Every answer to an HTTP request; one request a connection. */
export function acknowledgements(events: readonly TraceEvent[]): Acknowledgement[] {
  const requests = new Map<number, string>();
  const list: Acknowledgement[] = [];
  for (const event of events) {
    if (event.kind === 'close' || event.kind === 'open') requests.delete(event.fd);
    else if (event.kind === 'read' && !requests.has(event.fd)) {
      const head = event.data.subarray(0, 2000).toString('latin1');
      if (/^(GET|POST|PATCH|DELETE) \S+ HTTP/.test(head)) requests.set(event.fd, head.slice(0, head.indexOf('\r\n')));
    } else if (event.kind === 'write') {
      const request = requests.get(event.fd);
      const answer = event.data.toString('utf8');
      const status = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1];
      if (request === undefined || status === undefined) continue;
      list.push({ at: event.at, request, status: Number(status), body: answer.slice(answer.indexOf('\r\n\r\n') + 4) });
    }
  }
  return list;
}
