/** A process that asks one path every 5 ms while something else goes on. */
import { once } from 'node:events';
import { ended, started } from '../contenders.ts';
import { latencyOf, type Latency } from '../latency.ts';
import type { ProbeOrders } from '../programs/probe.ts';

export interface Prober {
  probe(orders: ProbeOrders): Promise<Latency>;
  stop(): Promise<void>;
}

export function startProber(): Prober {
  const child = started('prober');
  return {
    async probe(orders) {
      const answering = once(child, 'message');
      child.send(orders);
      const [times] = (await answering) as [number[]];
      return latencyOf(times);
    },
    stop: () => ended(child),
  };
}
