/**
 * HTTP connections from the engine to its load-balancing workers: reused for requests, and separate for health checks.
 */
import { Agent, request as httpRequest } from 'node:http';
import type { LookupFunction } from 'node:net';
import { limits } from '#contract/core/limits.ts';
import type { HealthProbe } from '../../domain/loadBalancing/ports.ts';

/**
 * The addresses of localhost. A worker may listen on only one of them. Resolving the name through the system would
 * block a thread each time.
 */
const IPV4 = { address: '127.0.0.1', family: 4 };
const ADDRESSES = [IPV4, { address: '::1', family: 6 }];
/**
 * The time limit for connecting to each address, milliseconds. On this machine, the wrong address refuses at once.
 * Node's default of 250 ms is too short for a busy worker: both addresses would fail, and then the request.
 */
const CONNECT_MS = 10_000;
const lookup: LookupFunction = (_name, { all }, done) => {
  if (all) done(null, ADDRESSES);
  else done(null, IPV4.address, IPV4.family);
};

export interface WorkerConnections {
  /** `keepAlive` reuses connections; `single` opens one for each request. */
  readonly agents: { readonly keepAlive: Agent; readonly single: Agent };
  readonly probe: HealthProbe;
  stop(): void;
}

const reasonOf = (error: NodeJS.ErrnoException): string =>
  error.code === 'ECONNREFUSED' ? 'nothing listens there' : error.message || (error.code ?? 'no answer');

export function createWorkerConnections(): WorkerConnections {
  const connecting = { lookup, autoSelectFamilyAttemptTimeout: CONNECT_MS };
  const keepAlive = new Agent({ ...connecting, keepAlive: true, timeout: limits.balancing.idleConnectionMs });
  const single = new Agent({ ...connecting, keepAlive: false });

  const probe: HealthProbe = {
    ask({ host, port, path }, withinMs, done) {
      let over = false;
      const settle = (status: number | null, error: string | null, silent = false): void => {
        if (over) return;
        over = true;
        clearTimeout(timer);
        outgoing.destroy();
        done({ status, error, silent });
      };
      // A check over a reused connection would not notice that the server accepts no new ones.
      const outgoing = httpRequest({ agent: single, host, port, path }, (answer) => {
        answer.resume();
        settle(answer.statusCode ?? 0, null);
      });
      outgoing.on('error', (error) => settle(null, reasonOf(error)));
      const timer = setTimeout(() => settle(null, `no answer within ${withinMs / 1000} s`, true), withinMs);
      outgoing.end();
      return () => {
        over = true;
        clearTimeout(timer);
        outgoing.destroy();
      };
    },
  };
  return {
    agents: { keepAlive, single },
    probe,
    stop() {
      keepAlive.destroy();
      single.destroy();
    },
  };
}
