/** What is measured over time: the use that is billed, and the metrics of endpoints. */
import { createUsageMeter, type UsageMeter } from '../domain/billing/meter.ts';
import { createMetricsRecorder, type MetricsRecorder } from '../domain/metrics/recorder.ts';
import { createVolumeUsage } from '../domain/billing/volumeUsage.ts';
import { createWorkerUsage } from '../domain/billing/workerUsage.ts';
import { machineShape } from '../runtime/host/machineFacts.ts';
import type { WorkerWatch } from '../domain/autoscaling/workerEvents.ts';
import type { ExecutionParts } from './parts.ts';

/** The metrics of endpoints. */
export function createRecorder({ clock, logger, records }: ExecutionParts): MetricsRecorder {
  const endpointIds = (): string[] => records.endpoints.list().map(({ id }) => id);
  return createMetricsRecorder({ clock, logger, store: records.metricsStore, endpointIds });
}

/** Meters volumes from now on. Pods and workers are metered by their own watches. */
export function createMeter(
  { clock, logger, records, hardware }: ExecutionParts,
  recorder: MetricsRecorder,
): UsageMeter {
  const meter = createUsageMeter(clock, records.usage, logger, ({ kind, resourceId }, from, to, amount) => {
    if (kind === 'endpoint') recorder.costed(resourceId, from, to, amount);
  });
  records.settings.onChange(meter.pricesChanged);
  records.volumes.onChange(createVolumeUsage(meter, hardware.prices, records.volumes.list));
  return meter;
}

/** Bills the time of workers to their endpoints. */
export function createWorkerMeter({ records, hardware }: ExecutionParts, meter: UsageMeter): WorkerWatch {
  const { endpoints, templates } = records;
  const { prices, gpus } = hardware;
  return createWorkerUsage({ meter, prices, cores: machineShape().cores, endpoints, templates, gpus: gpus.list });
}
