/** The DevTools protocol over Chromium's debugging pipe: messages end in a zero byte, sessions are flat. */
import { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';

export type Params = Record<string, unknown>;

interface Waiting {
  readonly method: string;
  readonly resolve: (result: Params) => void;
  readonly reject: (error: Error) => void;
}

interface Incoming {
  id?: number;
  method?: string;
  params?: Params;
  result?: Params;
  error?: { message: string };
  sessionId?: string;
}

/** One attached target, or the browser itself. Emits each protocol event under its method's name. */
export class Session extends EventEmitter {
  readonly #send: (method: string, params: Params) => Promise<Params>;

  constructor(send: (method: string, params: Params) => Promise<Params>) {
    super();
    this.setMaxListeners(0);
    this.#send = send;
  }

  /** Rejects with the protocol's own message. `Result` is what the protocol documents for `method`. */
  async send<Result = Params>(method: string, params: Params = {}): Promise<Result> {
    return (await this.#send(method, params)) as Result;
  }
}

export class Connection {
  readonly browser: Session;
  readonly #sessions = new Map<string, Session>();
  readonly #waiting = new Map<number, Waiting>();
  readonly #output: Writable;
  #nextId = 1;
  #closed = false;
  #rest = '';

  constructor(output: Writable, input: Readable) {
    this.#output = output;
    this.browser = new Session((method, params) => this.#request(method, params, undefined));
    input.setEncoding('utf8');
    input.on('data', (text: string) => this.#read(text));
    input.on('close', () => this.#close());
    // Both ends break when Chromium dies; its exit is what counts.
    input.on('error', () => this.#close());
    output.on('error', () => this.#close());
  }

  session(sessionId: string): Session {
    let session = this.#sessions.get(sessionId);
    if (!session) {
      session = new Session((method, params) => this.#request(method, params, sessionId));
      this.#sessions.set(sessionId, session);
    }
    return session;
  }

  #request(method: string, params: Params, sessionId: string | undefined): Promise<Params> {
    if (this.#closed) return Promise.reject(new Error(`${method}: Chromium has gone`));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { method, resolve, reject });
      this.#output.write(`${JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) })}\0`);
    });
  }

  #read(text: string): void {
    const parts = (this.#rest + text).split('\0');
    this.#rest = parts.pop() ?? '';
    for (const part of parts) this.#dispatch(JSON.parse(part) as Incoming);
  }

  #dispatch(message: Incoming): void {
    if (message.id !== undefined) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error) waiting?.reject(new Error(`${waiting.method}: ${message.error.message}`));
      else waiting?.resolve(message.result ?? {});
      return;
    }
    const session = message.sessionId ? this.#sessions.get(message.sessionId) : this.browser;
    if (message.method) session?.emit(message.method, message.params ?? {});
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const { method, reject } of this.#waiting.values()) reject(new Error(`${method}: Chromium has gone`));
    this.#waiting.clear();
  }
}
