/**
 * Load-balancing endpoints: every path below /lb/{endpoint}/ and of the host {endpoint}.localhost belongs to the
 * endpoint's workers.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { ApiKeys } from '../../domain/access/apiKeys.ts';
import type { Balancer } from '../../domain/loadBalancing/balancer.ts';
import { AFFINITY_HEADER, affinityOf } from '../../domain/loadBalancing/affinity.ts';
import type { Endpoints } from '../../domain/resources/endpoints.ts';
import type { Cancel, Clock, Logger } from '../../domain/core/ports.ts';
import { authorize, endAnswer, endWithKey, neededKey, type Admission } from '../http/auth.ts';
import { checkCoding } from './headers.ts';
import { declaredBytes, passRequest, type ProxyExchange, type UpstreamAgents } from './request.ts';
import { passSocket, type Tunnel } from './webSocket.ts';
import { sendError } from '../http/errorMapper.ts';
import { tooLarge } from '../http/bodies/reader.ts';
import { anyAnswer, type Operation } from '../openapi/operation.ts';

/** The endpoint whose worker a request is for. */
export interface BalancedTarget {
  readonly endpointId: string;
  readonly path: string;
  readonly prefix: string;
}

export interface BalancerRoutesOptions {
  clock: Clock;
  logger: Logger;
  keys: ApiKeys;
  endpoints: Endpoints;
  balancer: Balancer;
  agents: UpstreamAgents;
}

export interface BalancerRoutes {
  /** Null for a request that is not for a worker. */
  targetOf(request: IncomingMessage): BalancedTarget | null;
  /** `head`: of a WebSocket, what came behind the request already; null for a request. Throws what is wrong with it. */
  serve(target: BalancedTarget, request: IncomingMessage, response: ServerResponse, head: Buffer | null): void;
  /** Closes the open WebSockets. */
  stop(): void;
}

const LB_PREFIX = '/lb/';
/** The number of further workers that a request tries when the first cannot be reached. */
const UNREACHED_TRIES = 4;
const OWN_HOST = /^([a-z0-9_-]+)\.localhost(?::\d+)?$/i;
const AFFINITY = AFFINITY_HEADER.toLowerCase();

/** The document names one path and five methods; path and method mean what the worker makes of them. */
export const balancedOperation: Operation = {
  methods: ['get', 'post', 'put', 'patch', 'delete'],
  path: '/lb/{endpointId}/{path}',
  id: 'balanced',
  group: 'load balancing',
  need: 'jobs',
  summary:
    'Passed straight to a worker of a load-balancing endpoint, which answers as it likes; WebSockets too. ' +
    `Bodies of at most ${limits.balancing.bodyBytes} bytes each way.`,
  answers: { 200: { words: 'What the worker answered, with its own status and headers.', shape: anyAnswer } },
  refusals: ['TOO_LARGE', 'UPSTREAM', 'UNAVAILABLE', 'UPSTREAM_TIMEOUT'],
};

function targetOfPath(url: string): BalancedTarget {
  const end = url.slice(LB_PREFIX.length).search(/[/?]/);
  const prefix = end === -1 ? url : url.slice(0, LB_PREFIX.length + end);
  const rest = url.slice(prefix.length);
  let endpointId: string;
  try {
    endpointId = decodeURIComponent(prefix.slice(LB_PREFIX.length));
  } catch (cause) {
    throw new AppError('BAD_REQUEST', 'The path is not properly percent-encoded.', { cause });
  }
  return { endpointId, prefix, path: rest.startsWith('/') ? rest : `/${rest}` };
}

export function createBalancerRoutes(options: BalancerRoutesOptions): BalancerRoutes {
  const { logger, keys, endpoints, balancer } = options;
  const tunnels = new Set<Tunnel>();
  const following = {
    onOpen: (tunnel: Tunnel) => void tunnels.add(tunnel),
    onEnd: (tunnel: Tunnel) => void tunnels.delete(tunnel),
  };

  /** Checks the key and the endpoint. Throws AppError. */
  function check(endpointId: string, request: IncomingMessage): Admission {
    const admission: Admission = { key: neededKey(request), need: 'jobs', place: { endpointId, workerId: '' } };
    authorize(keys, admission);
    const endpoint = endpoints.find(endpointId);
    if (!endpoint) throw new AppError('NOT_FOUND', `There is no endpoint ${JSON.stringify(endpointId)}.`);
    if (endpoint.type !== 'LB') {
      throw new AppError(
        'BAD_REQUEST',
        `The endpoint ${JSON.stringify(endpointId)} has a queue and balances no load: send its jobs to /v2/${endpointId}/run, or make an endpoint of type LB.`,
      );
    }
    const bytes = declaredBytes(request);
    if (bytes > limits.balancing.bodyBytes) throw tooLarge(limits.balancing.bodyBytes, `${bytes} were announced`);
    return admission;
  }

  return {
    targetOf(request) {
      const { url = '/', headers } = request;
      const { host } = headers;
      if (host?.includes('.localhost') === true) {
        const endpointId = OWN_HOST.exec(host)?.[1]?.toLowerCase();
        if (endpointId !== undefined && endpoints.find(endpointId)) return { endpointId, path: url, prefix: '' };
      }
      return url.startsWith(LB_PREFIX) ? targetOfPath(url) : null;
    },

    serve({ endpointId, path, prefix }, request, response, head) {
      const admission = check(endpointId, request);
      checkCoding(request);
      endWithKey(keys, admission, response, (error) => {
        // After a change of protocols, the caller would take an HTTP answer for a message of the worker.
        if (head) request.socket.destroy();
        else endAnswer(request, response, error, logger);
      });
      const affinityHeader = request.headers[AFFINITY];
      const affinity = affinityOf(typeof affinityHeader === 'string' ? affinityHeader : undefined);
      let cancel: Cancel = () => undefined;
      // A caller that goes away needs no worker.
      response.once('close', () => cancel());
      const send = (triesLeft: number): void => {
        cancel = balancer.ask(endpointId, affinity, (error, lease) => {
          if (error) {
            sendError(response, error, logger);
            return;
          }
          const { workerId } = lease;
          const passing: ProxyExchange = {
            request,
            response,
            lease,
            path,
            prefix,
            who: `Worker ${workerId}`,
            advice: 'Its log may say why.',
            workerId,
            limited: true,
            ...(triesLeft > 0 && {
              sendElsewhere: () => {
                lease.unreachable();
                send(triesLeft - 1);
              },
            }),
          };
          if (head) passSocket(passing, head, options, following);
          else passRequest(passing, options);
        });
      };
      send(UNREACHED_TRIES);
    },

    stop() {
      for (const tunnel of tunnels) tunnel.close();
    },
  };
}
