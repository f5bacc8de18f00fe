/** The http ports of Pods: requests to the host `{podId}-{port}.localhost` go to that port of the Pod, without a key. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, Logger } from '../../domain/core/ports.ts';
import type { Pods } from '../../domain/pods/podInterfaces.ts';
import { checkCoding } from './headers.ts';
import { passRequest, type ProxyExchange, type UpstreamAgents } from './request.ts';
import { passSocket, type Tunnel } from './webSocket.ts';

export interface PodAddresses {
  /** Serves a request for a Pod; returns false for any other. `head`: see BalancerRoutes. Throws AppError without a way to the Pod. */
  serve(request: IncomingMessage, response: ServerResponse, head: Buffer | null): boolean;
  /** Closes the open WebSockets. */
  stop(): void;
}

export interface PodAddressesOptions {
  clock: Clock;
  logger: Logger;
  pods: Pick<Pods, 'reach'>;
  agents: UpstreamAgents;
}

const POD_HOST = /^([a-z0-9]+)-(\d{1,5})\.localhost\.?(?::\d+)?$/i;

export function createPodAddresses(options: PodAddressesOptions): PodAddresses {
  const tunnels = new Set<Tunnel>();
  const following = {
    onOpen: (tunnel: Tunnel) => void tunnels.add(tunnel),
    onEnd: (tunnel: Tunnel) => void tunnels.delete(tunnel),
  };
  return {
    serve(request, response, head) {
      const [, podId, portText] = POD_HOST.exec(request.headers.host ?? '') ?? [];
      if (podId === undefined) return false;
      checkCoding(request);
      const inside = Number(portText);
      const { host, port, name } = options.pods.reach(podId.toLowerCase(), inside);
      const passing: ProxyExchange = {
        request,
        response,
        path: request.url ?? '/',
        prefix: '',
        workerId: null,
        limited: false,
        lease: { host, port, onLost: null, release: () => undefined },
        who: `Port ${inside} of the Pod ${JSON.stringify(name)}`,
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
