/** Nothing is silently missing: a member or event that the stand-in does not have throws, by name. */
import { EventEmitter } from 'node:events';

/** Names that languages and inspectors probe on any object. */
const probed = new Set(['then', 'toJSON', 'inspect', 'nodeType', 'asymmetricMatch', '$$typeof', 'prototype']);

const missing = (owner: string, member: string): Error =>
  new Error(`${owner}.${member} is not represented by the stand-in for Electron`);

function trap(ownerOf: (receiver: unknown) => string): ProxyHandler<object> {
  return {
    get(target, property, receiver: unknown) {
      if (property in target || typeof property === 'symbol' || probed.has(property)) {
        return Reflect.get(target, property, receiver) as unknown;
      }
      throw missing(ownerOf(receiver), property);
    },
  };
}

/** An object of Electron of which only `members` are represented. */
export function represented<Whole extends object>(name: string, members: Partial<Whole>): Whole {
  return new Proxy(
    members,
    trap(() => name),
  ) as Whole;
}

/** A class of Electron that is not represented at all: to make one, or to ask it for something, throws. */
export function absent(name: string): object {
  return new Proxy(function () {}, {
    get(target, property, receiver: unknown) {
      if (typeof property === 'symbol' || probed.has(property))
        return Reflect.get(target, property, receiver) as unknown;
      throw missing(name, property);
    },
    construct() {
      throw missing(name, 'constructor');
    },
    apply() {
      throw missing(name, 'call');
    },
  });
}

/** Base of every class with events. A listener for an event that is never emitted here would be a silent nothing. */
export class Emitter extends EventEmitter {
  readonly #events: ReadonlySet<string>;

  constructor(events: readonly string[]) {
    super();
    this.setMaxListeners(0);
    this.#events = new Set(events);
  }

  #check(event: string | symbol): void {
    if (typeof event === 'string' && !this.#events.has(event)) throw missing(this.constructor.name, `on('${event}')`);
  }

  override on(event: string | symbol, listener: (...args: never[]) => void): this {
    this.#check(event);
    return super.on(event, listener as (...args: unknown[]) => void);
  }

  override addListener(event: string | symbol, listener: (...args: never[]) => void): this {
    return this.on(event, listener);
  }

  override prependListener(event: string | symbol, listener: (...args: never[]) => void): this {
    this.#check(event);
    return super.prependListener(event, listener as (...args: unknown[]) => void);
  }
}
// Below the class, so that private fields still work: the trap is reached only by names nobody has.
Object.setPrototypeOf(
  Emitter.prototype,
  new Proxy(
    EventEmitter.prototype,
    trap((receiver) => (receiver as object).constructor.name),
  ),
);

/** The first argument of Electron's listeners. */
export interface Preventable {
  readonly defaultPrevented: boolean;
  preventDefault(): void;
}

export function preventable<Details extends object>(details: Details): Details & Preventable {
  let prevented = false;
  return Object.defineProperties(
    { ...details },
    {
      defaultPrevented: { get: () => prevented },
      preventDefault: {
        value: () => {
          prevented = true;
        },
      },
    },
  ) as Details & Preventable;
}
