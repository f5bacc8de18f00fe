/** Connections from the engine to its load-balancing workers: kept for the next request, and the health checks beside them. */
import { Agent, request as httpRequest } from 'node:http';
import type { LookupFunction } from 'node:net';
import { limits } from '#contract/core/limits.ts';
import type { HealthProbe } from '../../domain/loadBalancing/ports.ts';

/** A server of a worker may listen on one of the two addresses of this machine only; asking the system would take a thread each time. */
const ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
/**
 * How long each address may take to connect, in milliseconds. On this machine the wrong one refuses at once. Node's own 250 ms are too
 * short for a worker that is busy: both addresses count as failed then, and the request fails.
 */
const CONNECT_MS = 10_000;
const lookup: LookupFunction = (_name, { all }, done) => {
  if (all) done(null, ADDRESSES);
  else done(null, ADDRESSES[0]!.address, 4);
};

export interface WorkerConnections {
  /** `keepAlive` keeps connections for the next request, `single` opens one for each. */
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
      // A check that takes a kept connection would not notice that no new one is accepted.
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
