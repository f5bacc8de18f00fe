/** What goes wrong at the fake on demand: connections that break, answers that are late, wrong or cut off. */
import type { ServerResponse } from 'node:http';
import type { RemoteCall, RemoteArea, Reply } from './wire.ts';

export interface Fault {
  /** Which requests it happens to; every one where nothing is said. */
  area?: RemoteArea;
  method?: string;
  /** Of the address behind the version, such as `hello/run`. */
  path?: RegExp;
  /** How often; for ever where it is left out. */
  times?: number;
  /**
   * `drop`: the connection breaks before anything is done. `lost`: what was asked is done, and the connection breaks in
   * place of the answer. `cut`: it breaks in the middle of the answer. A number: it is late by so many milliseconds.
   * Else this is the answer.
   */
  as: 'drop' | 'lost' | 'cut' | number | Reply;
}

export interface Faults {
  /** Takes effect from the next request on; answers how to take it away again. */
  add(fault: Fault): () => void;
  clear(): void;
  /** The fault that happens to this request, counted. */
  take(request: Pick<RemoteCall, 'area' | 'method' | 'path'>): Fault | null;
}

export function createFaults(): Faults {
  const faults = new Map<Fault, number>();
  return {
    add(fault) {
      faults.set(fault, fault.times ?? Infinity);
      return () => void faults.delete(fault);
    },
    clear: () => faults.clear(),
    take({ area, method, path }) {
      for (const [fault, left] of faults) {
        if (fault.area !== undefined && fault.area !== area) continue;
        if (fault.method !== undefined && fault.method !== method) continue;
        if (fault.path && !fault.path.test(path.join('/'))) continue;
        if (left <= 1) faults.delete(fault);
        else faults.set(fault, left - 1);
        return fault;
      }
      return null;
    },
  };
}

/** Sends what there is of a reply, all of it or half. */
export function send(response: ServerResponse, reply: Reply, isCut: boolean): void {
  const text = reply.text ?? (reply.json === undefined ? '' : JSON.stringify(reply.json));
  const bytes = Buffer.from(text);
  response.writeHead(reply.status, {
    ...(text !== '' && { 'content-type': reply.type ?? 'application/json', 'content-length': bytes.length }),
    ...reply.headers,
  });
  if (!isCut) {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy());
}
