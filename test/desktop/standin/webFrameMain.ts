/** WebFrameMain: the frames of a page as the main process sees them. */
import { fromChromium, originOf } from './addresses.ts';
import { Emitter } from './chromium/represented.ts';
import type { MessagePortMain } from './ports.ts';

/** What a frame needs of its page. */
export interface FrameHost {
  deliver(channel: string, args: readonly unknown[], ports: readonly MessagePortMain[]): void;
}

let nextRoutingId = 1;

export class WebFrameMain extends Emitter {
  readonly routingId = nextRoutingId++;
  readonly processId = 1;
  readonly parent: WebFrameMain | null;
  readonly #id: string;
  readonly #host: FrameHost;
  readonly #children = new Map<string, WebFrameMain>();
  #address = '';
  #securityOrigin = '';
  #name = '';
  #gone = false;

  constructor(id: string, parent: WebFrameMain | null, host: FrameHost) {
    super(['dom-ready']);
    this.#id = id;
    this.parent = parent;
    this.#host = host;
    if (parent) parent.#children.set(id, this);
  }

  get url(): string {
    return this.#address;
  }

  get origin(): string {
    return originOf(this.#securityOrigin || this.#address);
  }

  get name(): string {
    return this.#name;
  }

  get top(): WebFrameMain {
    return this.parent?.top ?? this;
  }

  get frames(): WebFrameMain[] {
    return [...this.#children.values()];
  }

  get framesInSubtree(): WebFrameMain[] {
    return [this, ...this.frames.flatMap((frame) => frame.framesInSubtree)];
  }

  get detached(): boolean {
    return this.#gone;
  }

  isDestroyed(): boolean {
    return this.#gone;
  }

  postMessage(channel: string, message: unknown, transfer: readonly MessagePortMain[] = []): void {
    if (this.parent) throw new Error('the stand-in runs no preload in a sub-frame: WebFrameMain.postMessage');
    this.#host.deliver(channel, [message], transfer);
  }

  send(channel: string, ...args: unknown[]): void {
    if (this.parent) throw new Error('the stand-in runs no preload in a sub-frame: WebFrameMain.send');
    this.#host.deliver(channel, args, []);
  }

  /** For the stand-in: the frame shows another document. */
  navigated(document: { url: string; urlFragment?: string; securityOrigin?: string; name?: string }): void {
    this.#address = fromChromium(`${document.url}${document.urlFragment ?? ''}`);
    this.#securityOrigin = fromChromium(document.securityOrigin ?? '');
    this.#name = document.name ?? '';
    if (this.#address !== 'about:blank') this.#children.clear();
  }

  /** For the stand-in: the same document has another address. */
  moved(url: string): void {
    this.#address = fromChromium(url);
  }

  /** For the stand-in: the frame was taken out of its page. */
  removed(): void {
    this.#gone = true;
    if (this.parent) this.parent.#children.delete(this.#id);
  }
}
