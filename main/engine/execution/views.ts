/** What clients read about work. */
import type { Health } from '#contract/api/job.ts';
import type { Pod } from '#contract/api/pod.ts';
import type { JobTimeline } from '#contract/local/engine.ts';
import type { Balancer } from '../domain/loadBalancing/balancer.ts';
import { healthOf } from '../domain/autoscaling/health.ts';
import { timelineOf } from '../domain/jobs/views/timeline.ts';
import type { Jobs } from '../domain/jobs/jobs.ts';
import { podOfWorker } from '../domain/pods/workerView.ts';
import { machineShape } from '../runtime/host/machineFacts.ts';
import type { WorkerPool } from '../runtime/workers/pool/workerPool.ts';
import type { ExecutionParts } from './parts.ts';

/** What clients read about work: counts, timelines, and workers as Pods. */
export function createViews({ records, hardware }: ExecutionParts, jobs: Jobs, balancer: Balancer, pool: WorkerPool) {
  const { endpoints, templates } = records;
  const shape = machineShape();
  return {
    health(endpointId: string): Health {
      const requests = endpoints.find(endpointId)?.type === 'LB' ? balancer.demand(endpointId) : null;
      return healthOf(jobs.queueOf(endpointId).counters, requests, pool.counts(endpointId));
    },
    /** The timeline of a job, with the reason why it waits; null for an unknown job. */
    timeline(jobId: string): JobTimeline | null {
      const job = jobs.get(jobId);
      return job ? timelineOf(job, job.status === 'IN_QUEUE' ? pool.waiting(job) : null) : null;
    },
    /** The workers of this machine in the form of Pods, which is how clients of the cloud see them. */
    async workersAsPods(): Promise<Pod[]> {
      const typeOf = (uuid: string | undefined): string =>
        hardware.gpus.list().find((gpu) => gpu.uuid === uuid)?.typeId ?? '';
      return (await pool.records()).flatMap((worker) => {
        const endpoint = endpoints.find(worker.endpointId);
        const template = endpoint && templates.find(endpoint.templateId);
        if (!template) return [];
        return podOfWorker(worker, endpoint, template, typeOf(worker.gpus[0]), shape, hardware.prices.perHour);
      });
    },
  };
}
