/** Tells whether this machine can run an endpoint, and which problems its workers have. */
import type { EndpointReadiness } from '#contract/local/engine.ts';
import type { Endpoint, EngineEndpoint } from '#contract/api/resources.ts';
import type { WorkerDriver } from '../../domain/autoscaling/ports.ts';
import type { NeedsOf } from '../../domain/autoscaling/workerSpec.ts';
import type { GpuClaims } from '../../domain/gpus/claims.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import type { Endpoints } from '../../domain/resources/endpoints.ts';
import type { Templates } from '../../domain/resources/templates.ts';
import type { WorkerPool } from './pool/workerPool.ts';

export interface Readiness {
  /** Throws NOT_FOUND for an unknown endpoint. */
  of(endpointId: string): Promise<EndpointReadiness>;
  all(): Promise<EndpointReadiness[]>;
  /**
   * The problems of an endpoint, as sentences for clients of the cloud. Never waits for a container engine, which may
   * not answer. Throws NOT_FOUND for an unknown endpoint.
   */
  noticesOf(endpointId: string): Promise<string[]>;
}

export interface ReadinessOptions {
  endpoints: Endpoints;
  templates: Templates;
  driver: WorkerDriver;
  gpus: Pick<GpuClaims, 'outlook'>;
  jobs: Pick<Jobs, 'workers'>;
  needsOf: NeedsOf;
  pool: Pick<WorkerPool, 'diagnose' | 'blocker'>;
  /** The state of hot reload for the endpoint's folder; null without one. */
  reloadOf(endpointId: string): EndpointReadiness['reload'];
}

export function createReadiness(options: ReadinessOptions): Readiness {
  const { endpoints, templates, driver, gpus, jobs, needsOf, pool, reloadOf } = options;

  function gpuNotices(endpoint: Endpoint): string[] {
    const outlook = gpus.outlook(endpoint);
    return outlook?.kind === 'cpu' ? [outlook.message] : [];
  }

  async function readinessOf(endpoint: EngineEndpoint): Promise<EndpointReadiness> {
    const { id, templateId } = endpoint;
    const template = templates.get(templateId);
    const needs = needsOf(endpoint, template);
    const { refused, trouble } = pool.diagnose(id);
    const unable = (await driver.unavailable(template)) ?? (typeof needs === 'string' ? needs : null);
    const reason = unable ?? refused;
    const runtime = driver.runtimeOf(template);
    const publicSdk = jobs.workers.publicSdkOf(id);
    const facts = await driver.inspect(template);
    return {
      id,
      available: reason === null,
      reason,
      runtime,
      publicSdk,
      trouble,
      reload: reloadOf(id),
      notices: [...gpuNotices(endpoint), ...(facts?.notices ?? [])],
      handler: facts && {
        file: facts.file,
        python: facts.python,
        environmentSource: facts.environmentSource,
        ...(facts.missingModules && { missingModules: facts.missingModules }),
      },
    };
  }

  return {
    of: async (endpointId) => readinessOf(endpoints.get(endpointId)),
    all: () => Promise.all(endpoints.list().map(readinessOf)),
    async noticesOf(endpointId) {
      const endpoint = endpoints.get(endpointId);
      const blocker = pool.blocker(endpointId);
      const isContainer = driver.runtimeOf(templates.get(endpoint.templateId)) === 'container';
      const { reason, notices } = isContainer
        ? { reason: null, notices: gpuNotices(endpoint) }
        : await readinessOf(endpoint);
      // The pool knows a reason only once it has tried to start a worker.
      const first = reason ?? blocker;
      return first === null ? notices : [first, ...notices];
    },
  };
}
