/**
 * Resolves host names through the system, with a cache. A name server that does not answer blocks a lookup thread for
 * many seconds. Few lookups therefore run at a time, so that threads remain for other work.
 */
import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** The maximum number of lookups at a time. Node has four threads for lookups and files. */
const AT_A_TIME = 2;
/** How long an answer is cached, milliseconds, and how many answers. */
const FRESH_MS = 30_000;
const MOST_CACHED = 1000;

const thisMachine: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

type LookupCallback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** Creates a function for the `lookup` option of a connection. Concurrent lookups of the same name share one answer. */
export function createNameLookup(): LookupFunction {
  const pending = new Map<string, LookupCallback[]>();
  const queue: string[] = [];
  const cache = new Map<string, { addresses: LookupAddress[]; until: number }>();
  let running = 0;

  function next(): void {
    if (running === AT_A_TIME) return;
    const name = queue.shift();
    if (name === undefined) return;
    running++;
    lookup(name, { all: true }, (error, addresses) => {
      running--;
      if (!error) {
        cache.delete(name);
        cache.set(name, { addresses, until: performance.now() + FRESH_MS });
        const [oldest] = cache.keys();
        if (oldest !== undefined && cache.size > MOST_CACHED) cache.delete(oldest);
      }
      const callbacks = pending.get(name) ?? [];
      pending.delete(name);
      // Against its type, a failed lookup has no list of addresses.
      for (const callback of callbacks) callback(error, error ? [] : addresses);
      next();
    });
  }

  function find(name: string, callback: LookupCallback): void {
    const cached = cache.get(name);
    if (name === 'localhost' || name.endsWith('.localhost')) callback(null, thisMachine);
    else if (cached && cached.until > performance.now()) callback(null, cached.addresses);
    else {
      const others = pending.get(name);
      if (others) others.push(callback);
      else {
        pending.set(name, [callback]);
        queue.push(name);
        next();
      }
    }
  }

  return (hostname, options, callback) => {
    find(hostname, (error, addresses) => {
      const [first] = addresses;
      if (error || options.all || !first) callback(error, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
