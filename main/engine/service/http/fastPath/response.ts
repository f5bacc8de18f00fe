/** The answer to a request of the fast path. It goes to the socket in one piece where possible. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { BriefRequest, JobResponse } from '../types.ts';

/** How long a connection stays open for a next request, milliseconds; each answer states it. */
export const KEEP_ALIVE_MS = 75_000;
const SECOND_MS = 1000;

let dateAt = 0;
let lastLines = '';

/** The last lines of each head; their date is made once a second. */
function commonLines(): string {
  const now = Date.now();
  if (now < dateAt || now >= dateAt + SECOND_MS) {
    dateAt = now - (now % SECOND_MS);
    const date = new Date(now).toUTCString();
    lastLines = `Date: ${date}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / SECOND_MS}\r\n\r\n`;
  }
  return lastLines;
}

type Headers = Record<string, string | number>;

export class BriefResponse implements JobResponse {
  readonly req: BriefRequest;
  destroyed = false;
  headersSent = false;
  writableEnded = false;
  writableFinished = false;
  readonly #socket: Socket;
  readonly #closed: () => void;
  readonly #listeners: ['finish' | 'close', () => void][] = [];
  /** The head, until the first piece of the body is sent. */
  #head = '';
  #extra = '';
  /** As announced. */
  #bodyBytes: string | number = 0;

  /** Calls `closed` after everything else. */
  constructor(request: BriefRequest, socket: Socket, closed: () => void) {
    this.req = request;
    this.#socket = socket;
    this.#closed = closed;
  }

  on(event: 'finish' | 'close', listener: () => void): this {
    this.#listeners.push([event, listener]);
    return this;
  }

  off(event: 'finish' | 'close', listener: () => void): this {
    const at = this.#listeners.findIndex(([of, one]) => of === event && one === listener);
    if (at >= 0) this.#listeners.splice(at, 1);
    return this;
  }

  setHeader(name: string, value: string): this {
    this.#extra += `${name}: ${value}\r\n`;
    return this;
  }

  writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
    const named = typeof reason === 'string';
    const fields = named ? headers : reason;
    let lines = `HTTP/1.1 ${status} ${named ? reason : (STATUS_CODES[status] ?? '')}\r\n`;
    for (const name in fields) lines += `${name}: ${fields[name]}\r\n`;
    this.#bodyBytes = fields?.['content-length'] ?? 0;
    this.#head = lines + this.#extra + commonLines();
    this.headersSent = true;
    return this;
  }

  /** `bytes`: the length of the text. */
  sendJson(status: number, text: string, bytes: number): void {
    this.#bodyBytes = bytes;
    this.#head =
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n` +
      this.#extra +
      commonLines();
    this.headersSent = true;
    this.end(text);
  }

  write(bytes: Uint8Array | string, done?: () => void): boolean {
    const socket = this.#socket;
    if (this.#head !== '') {
      socket.write(this.#head, 'latin1');
      this.#head = '';
    }
    return socket.write(bytes, () => done?.());
  }

  end(body: Uint8Array | string = ''): this {
    const socket = this.#socket;
    this.writableEnded = true;
    if (typeof body === 'string') {
      // ASCII text is the cheapest to write.
      socket.write(this.#head + body, this.#bodyBytes === body.length ? 'latin1' : 'utf8');
    } else {
      socket.cork();
      if (this.#head !== '') socket.write(this.#head, 'latin1');
      socket.write(body);
      socket.uncork();
    }
    this.#head = '';
    if (socket.destroyed || socket.errored) return this;
    // Nearly always the system has all of it by now; a callback would cost as much as the rest of the answer.
    if (socket.writableLength === 0) this.#finish();
    else {
      socket.write('', (error) => {
        if (!error) this.#finish();
      });
    }
    return this;
  }

  destroy(): this {
    this.#socket.destroy();
    return this;
  }

  /** The answer is sent, or its reader has gone. */
  close(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.#tell('close');
    this.#closed();
  }

  #finish(): void {
    this.writableFinished = true;
    this.#tell('finish');
    this.close();
  }

  #tell(event: 'finish' | 'close'): void {
    for (const [of, listener] of [...this.#listeners]) if (of === event) listener();
  }
}
