/** MessageChannelMain: ports of this process, which may be handed to a page and are pumped there from then on. */
import { createCodec } from './codec.ts';
import { Emitter } from './chromium/represented.ts';

const codec = createCodec();

/** The other end of a port: another port of this process, or one in a page. */
interface Far {
  post(message: unknown): void;
  closed(): void;
}

export class MessagePortMain extends Emitter {
  #far: Far | undefined;
  #queue: unknown[] = [];
  #started = false;
  #closed = false;
  /** Set when the port was handed to a page: what arrives goes there. */
  #pump: Far | undefined;

  constructor() {
    super(['message', 'close']);
  }

  postMessage(message: unknown, transfer: readonly MessagePortMain[] = []): void {
    if (transfer.length > 0)
      throw new Error('MessagePortMain.postMessage with ports is not represented by the stand-in');
    // Encoded at once: what cannot be cloned throws here, and later changes of the object do not travel.
    const copy = codec.encode(message);
    if (!this.#closed) queueMicrotask(() => this.#far?.post(copy));
  }

  start(): void {
    this.#started = true;
    for (const copy of this.#queue.splice(0)) this.#emitMessage(copy);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    queueMicrotask(() => this.#far?.closed());
  }

  #emitMessage(copy: unknown): void {
    this.emit('message', { data: codec.decode(copy), ports: [] });
  }

  /** Joins two new ports. */
  static join(one: MessagePortMain, other: MessagePortMain): void {
    one.#far = other.#asFar();
    other.#far = one.#asFar();
  }

  #asFar(): Far {
    return {
      post: (copy) => {
        if (this.#pump) this.#pump.post(copy);
        else if (this.#closed) return;
        else if (this.#started) this.#emitMessage(copy);
        else this.#queue.push(copy);
      },
      closed: () => {
        if (this.#pump) return this.#pump.closed();
        if (this.#closed) return;
        this.#closed = true;
        this.emit('close');
      },
    };
  }

  /** Hands this end to a page. Answers what the page's end says to the port that stays here. */
  handOver(pump: Far): Far {
    this.#pump = pump;
    for (const copy of this.#queue.splice(0)) pump.post(copy);
    return {
      post: (copy) => this.#far?.post(copy),
      closed: () => this.#far?.closed(),
    };
  }
}

export class MessageChannelMain {
  readonly port1 = new MessagePortMain();
  readonly port2 = new MessagePortMain();

  constructor() {
    MessagePortMain.join(this.port1, this.port2);
  }
}

export type { Far };
