/**
 * The http ports of Pods: requests to the host `{podId}-{port}.localhost` go to that port of the Pod. Programs on this
 * machine need no key. Requests of other machines need one, in a header that the Pod does not see.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, toAppError } from '#contract/core/errors.ts';
import { POD_KEY_HEADER, POD_KEY_REFUSED_HEADER } from '#contract/api/podKey.ts';
import type { ApiKeys } from '../../domain/access/apiKeys.ts';
import type { Clock, Logger } from '../../domain/core/ports.ts';
import type { Pods } from '../../domain/pods/podInterfaces.ts';
import { authorize, endAnswer, endWithKey, type Admission } from '../http/auth.ts';
import { cameOverLoopback } from '../http/loopback.ts';
import { checkCoding } from './headers.ts';
import { isNavigation, sendPortPage } from './portPage.ts';
import { passRequest, type ProxyExchange, type UpstreamAgents } from './request.ts';
import { passSocket, type Tunnel } from './webSocket.ts';

export interface PodAddresses {
  /**
   * Serves a request for a Pod; returns false for any other. `head`: see BalancerRoutes. Throws AppError without a way
   * to the Pod, and UNAUTHORIZED or FORBIDDEN for a request of another machine without a key that allows everything.
   */
  serve(request: IncomingMessage, response: ServerResponse, head: Buffer | null): boolean;
  /** Closes the open WebSockets. */
  stop(): void;
}

export interface PodAddressesOptions {
  clock: Clock;
  logger: Logger;
  keys: ApiKeys;
  pods: Pick<Pods, 'reach'>;
  agents: UpstreamAgents;
}

const POD_HOST = /^([a-z0-9]+)-(\d{1,5})\.localhost\.?(?::\d+)?$/i;

const NO_KEY = `An http port of a Pod answers other machines only with an API key of the scope "all": send it in the header "${POD_KEY_HEADER}". The Pod does not get it.`;

/** The key of a request, and what it has to allow: a program behind a port, such as a notebook, may run commands. */
function admissionOf({ headers }: IncomingMessage): Admission {
  const key = headers[POD_KEY_HEADER];
  if (typeof key !== 'string' || key === '') throw new AppError('UNAUTHORIZED', NO_KEY);
  return { key, need: 'all', place: null };
}

export function createPodAddresses(options: PodAddressesOptions): PodAddresses {
  const { keys, logger } = options;
  const tunnels = new Set<Tunnel>();
  const following = {
    onOpen: (tunnel: Tunnel) => void tunnels.add(tunnel),
    onEnd: (tunnel: Tunnel) => void tunnels.delete(tunnel),
  };

  /** Throws AppError, and marks the answer as one of the engine. */
  function admit(request: IncomingMessage, response: ServerResponse, head: Buffer | null): void {
    let admission: Admission;
    try {
      admission = admissionOf(request);
      authorize(keys, admission);
    } catch (error) {
      response.setHeader(POD_KEY_REFUSED_HEADER, 'yes');
      throw error;
    }
    endWithKey(keys, admission, response, (error) => {
      // After a change of protocols, the caller would take an HTTP answer for a message of the Pod.
      if (head) request.socket.destroy();
      else endAnswer(request, response, error, logger);
    });
  }

  return {
    serve(request, response, head) {
      const [, podId, portText] = POD_HOST.exec(request.headers.host ?? '') ?? [];
      if (podId === undefined) return false;
      if (!cameOverLoopback(request)) admit(request, response, head);
      checkCoding(request);
      const inside = Number(portText);
      const sendRefusal = (error: AppError): boolean =>
        head === null && isNavigation(request) && sendPortPage(response, inside, error);
      let reached: ReturnType<typeof options.pods.reach>;
      try {
        reached = options.pods.reach(podId.toLowerCase(), inside);
      } catch (error) {
        if (sendRefusal(toAppError(error))) return true;
        throw error;
      }
      const { host, port, name } = reached;
      const passing: ProxyExchange = {
        request,
        response,
        path: request.url ?? '/',
        prefix: '',
        workerId: null,
        limited: false,
        lease: { host, port, onLost: null, release: () => undefined },
        who: `Port ${inside} of the Pod ${JSON.stringify(name)}`,
        sendRefusal,
        advice: 'Most likely nothing listens there yet, or only at 127.0.0.1 of its container: it has to be 0.0.0.0.',
      };
      if (head) passSocket(passing, head, options, following);
      else passRequest(passing, options);
      return true;
    },
    stop() {
      for (const tunnel of tunnels) tunnel.close();
    },
  };
}
