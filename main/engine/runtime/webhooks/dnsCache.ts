/**
 * Names of hosts to addresses, as the system knows them, without taking the system's few look-up threads from everybody else: a
 * name server that does not answer holds such a thread for many seconds.
 */
import { lookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Of the four threads that Node has for look-ups and files. */
const AT_A_TIME = 2;
/** How long an answer is used again, and how many are. */
const FRESH_MS = 30_000;
const REMEMBERED = 1000;

const thisMachine: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

type LookupCallback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** For the `lookup` option of a connection. Lookups of a name that is already being looked up share one answer. */
export function createNameLookup(): LookupFunction {
  const pending = new Map<string, LookupCallback[]>();
  const line: string[] = [];
  const remembered = new Map<string, { addresses: LookupAddress[]; until: number }>();
  let running = 0;

  function next(): void {
    if (running === AT_A_TIME) return;
    const name = line.shift();
    if (name === undefined) return;
    running++;
    lookup(name, { all: true }, (error, addresses) => {
      running--;
      if (!error) {
        remembered.delete(name);
        remembered.set(name, { addresses, until: performance.now() + FRESH_MS });
        const [oldest] = remembered.keys();
        if (remembered.size > REMEMBERED) remembered.delete(oldest!);
      }
      const who = pending.get(name) ?? [];
      pending.delete(name);
      for (const callback of who) callback(error, addresses);
      next();
    });
  }

  function find(name: string, callback: LookupCallback): void {
    const cached = remembered.get(name);
    if (name === 'localhost' || name.endsWith('.localhost')) callback(null, thisMachine);
    else if (cached && cached.until > performance.now()) callback(null, cached.addresses);
    else {
      const others = pending.get(name);
      if (others) others.push(callback);
      else {
        pending.set(name, [callback]);
        line.push(name);
        next();
      }
    }
  }

  return (hostname, options, callback) => {
    find(hostname, (error, addresses) => {
      if (error || options.all) callback(error, addresses);
      else callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
}
