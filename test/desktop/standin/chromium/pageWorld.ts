/** This process's end of a page's isolated world: what the preload sends, what it is sent, and the ports between. */
import { randomUUID } from 'node:crypto';
import { createCodec } from '../codec.ts';
import type { Far, MessagePortMain } from '../ports.ts';
import { runtime } from './runtime.ts';
import type { FromWorld, ToWorld } from './worlds.ts';
import { isolatedWorldScript, mainWorldScript } from './worlds.ts';

const codec = createCodec();

interface PageWorldOptions {
  /** Evaluates in the execution context with this id. */
  readonly evaluate: (expression: string, contextId: number) => Promise<unknown>;
  readonly onSend: (channel: string, args: unknown[]) => void;
  /** Resolves with the answer of the handler of this channel. */
  readonly onInvoke: (channel: string, args: unknown[]) => Promise<unknown>;
  readonly onWindowOpen: (request: { url: string; frameName: string; features: string }) => void;
  readonly onPreloadError: (message: string) => void;
}

export class PageWorld {
  /** Of the isolated world, in the protocol; no page can see it. */
  readonly name = 'preload';
  readonly #names = {
    binding: `b${randomUUID()}`,
    receiver: `r${randomUUID()}`,
    secret: `s${randomUUID()}`,
    opening: `o${randomUUID()}`,
  };
  readonly #ports = new Map<number, Far>();
  readonly #options: PageWorldOptions;
  #context: number | undefined;
  #nextPort = 1;

  constructor(options: PageWorldOptions) {
    this.#options = options;
  }

  get binding(): string {
    return this.#names.binding;
  }

  /** What is evaluated before a document's own scripts: in the page's world, and in the isolated one. */
  scripts(preloadSource: string): { main: string; isolated: string } {
    const process = {
      type: 'renderer',
      platform: globalThis.process.platform,
      sandboxed: true,
      versions: runtime.versions,
    };
    return {
      main: mainWorldScript(this.#names),
      isolated: isolatedWorldScript({ ...this.#names, process }, preloadSource),
    };
  }

  /** A new document has its world. */
  entered(contextId: number): void {
    this.left();
    this.#context = contextId;
  }

  /** The document is gone, and with it every port of it. */
  left(): void {
    this.#context = undefined;
    const ports = [...this.#ports.values()];
    this.#ports.clear();
    for (const port of ports) port.closed();
  }

  /** The binding was called. */
  hear(payload: string): void {
    const message = JSON.parse(payload) as FromWorld;
    if (message.kind === 'preload-error') this.#options.onPreloadError(message.message);
    else if (message.kind === 'send') this.#options.onSend(message.channel, message.args.map(codec.decode));
    else if (message.kind === 'invoke') void this.#invoke(message);
    else if (message.kind === 'window-open') this.#options.onWindowOpen(message);
    else if (message.kind === 'port') this.#ports.get(message.port)?.post(message.data);
    else {
      this.#ports.get(message.port)?.closed();
      this.#ports.delete(message.port);
    }
  }

  async #invoke({ channel, call, args }: Extract<FromWorld, { kind: 'invoke' }>): Promise<void> {
    const context = this.#context;
    const answer = (value: unknown, error: string | null): void => {
      // Calls are numbered anew in each document.
      if (this.#context === context) this.#tell({ kind: 'answer', call, value: codec.encode(value), error });
    };
    try {
      answer(await this.#options.onInvoke(channel, args.map(codec.decode)), null);
    } catch (error) {
      answer(undefined, `Error invoking remote method '${channel}': ${String(error)}`);
    }
  }

  deliver(channel: string, args: readonly unknown[], ports: readonly MessagePortMain[]): void {
    const ids = ports.map((port) => {
      const id = this.#nextPort++;
      const near = port.handOver({
        post: (data) => this.#tell({ kind: 'port', port: id, data }),
        closed: () => this.#tell({ kind: 'port-closed', port: id }),
      });
      this.#ports.set(id, near);
      return id;
    });
    this.#tell({ kind: 'deliver', channel, args: args.map(codec.encode), ports: ids });
  }

  #tell(message: ToWorld): void {
    if (this.#context === undefined) return;
    const text = JSON.stringify(JSON.stringify(message));
    const expression = `window[${JSON.stringify(this.#names.receiver)}](${text})`;
    // A document that has just gone hears nothing, as in Electron.
    this.#options.evaluate(expression, this.#context).catch(() => undefined);
  }
}
