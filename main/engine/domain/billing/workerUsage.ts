/** Meters the time of workers, from the moment they run to their end. Preparation is free. */
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import type { MachineGpu } from '#contract/local/machine.ts';
import type { Endpoints } from '../resources/endpoints.ts';
import type { Prices } from './pricing.ts';
import type { Templates } from '../resources/templates.ts';
import type { UsageMeter, Use } from './meter.ts';
import type { WorkerWatch } from '../autoscaling/workerEvents.ts';

export interface WorkerUsageParts {
  meter: UsageMeter;
  prices: Prices;
  endpoints: Pick<Endpoints, 'find'>;
  templates: Pick<Templates, 'find'>;
  gpus(): readonly MachineGpu[];
  /** CPU cores of this machine: a worker without a GPU uses all of them. */
  cores: number;
}

export function createWorkerUsage(parts: WorkerUsageParts): WorkerWatch {
  const { meter, prices, endpoints, templates } = parts;
  /** The use that each worker will be billed for, as of its first event; null once it is metered. */
  const uses = new Map<string, Use | null>();

  function useOf(workerId: string, endpointId: string): Use {
    const templateId = endpoints.find(endpointId)?.templateId ?? '';
    const workerGpus = parts
      .gpus()
      .filter(({ heldBy }) => heldBy.some((by) => 'workerId' in by && by.workerId === workerId));
    const gpuTypeId = workerGpus[0]?.typeId ?? CPU_TYPE;
    const count = workerGpus.length > 0 ? workerGpus.length : parts.cores;
    const imageName = templates.find(templateId)?.imageName ?? '';
    return {
      workerId,
      gb: 0,
      diskOnly: false,
      series: { kind: 'endpoint', resourceId: endpointId, templateId, imageName, gpuTypeId },
      perHour: () => prices.perHour(gpuTypeId, count),
    };
  }

  return {
    changed({ workerId, endpointId, state }) {
      let use = uses.get(workerId);
      if (use === null) return;
      if (use === undefined) uses.set(workerId, (use = useOf(workerId, endpointId)));
      if (state === 'preparing' || state === 'stopping') return;
      uses.set(workerId, null);
      meter.begin(workerId, use);
    },
    ended({ workerId }) {
      uses.delete(workerId);
      meter.end(workerId);
    },
  };
}
