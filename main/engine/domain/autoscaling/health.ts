/** The answer of GET /health for an endpoint: its jobs or requests, and its workers. */
import type { Health } from '#contract/api/job.ts';
import type { Demand } from './demand.ts';
import type { QueueCounters } from '../jobs/queue/counters.ts';

type Counts = Pick<Health['workers'], 'idle' | 'initializing' | 'running' | 'throttled' | 'unhealthy'>;

/** `requests`: the requests of a load-balancing endpoint, which has no jobs; null for a queue. */
export function healthOf(tally: QueueCounters, requests: Demand | null, counts: Counts): Health {
  const { completed, failed, inProgress, inQueue, retried } = tally;
  const { idle, initializing, running, throttled, unhealthy } = counts;
  return {
    jobs: {
      completed,
      failed,
      retried,
      inProgress: requests?.inProgress ?? inProgress,
      inQueue: requests?.queued ?? inQueue,
    },
    // A load-balancing worker accepts more requests while it serves one.
    workers: { idle, initializing, ready: requests ? idle + running : idle, running, throttled, unhealthy },
  };
}
