/** Records the metrics of the Pods of this machine while they run, and passes them to the rules that stop idle Pods. */
import type { Clock, Logger } from './domain/core/ports.ts';
import { createPodMetrics, type PodMetricsRecorder } from './domain/pods/metrics/metrics.ts';
import type { ManagedPods, PodDriver } from './domain/pods/podInterfaces.ts';
import type { Terminals } from './domain/terminals/ports.ts';
import type { Hardware } from './hardware.ts';
import type { Records } from './persistence.ts';
import { createGpuUse, type GpuUseOptions } from './runtime/gpu/gpuUse.ts';

interface Parts {
  clock: Clock;
  logger: Logger;
  records: Records;
  hardware: Hardware;
  pods: ManagedPods;
  podDriver: Pick<PodDriver, 'sample'>;
  terminals: Pick<Terminals, 'list'>;
}

/** Records from now on; `stop` ends that and stores the rest. */
export function createPodRecorder(
  { clock, logger, records, hardware, pods, podDriver, terminals }: Parts,
  workers: GpuUseOptions['workers'],
): PodMetricsRecorder {
  const ids = (list: ReturnType<ManagedPods['list']>): string[] => list.map(({ id }) => id);
  const openIn = (podId: string): number =>
    terminals.list().filter(({ kind, targetId }) => kind === 'pod' && targetId === podId).length;
  const metrics = createPodMetrics({
    clock,
    logger,
    store: records.histories.pods,
    podIds: () => ids(pods.list()),
    runningIds: () => ids(pods.list('RUNNING')),
    sample: podDriver.sample,
    gpus: hardware.gpus.list,
    // Only the use by Pods is read: the names of endpoints are not.
    findUse: createGpuUse({ workers, endpointName: () => null }),
    observed: (podId, activity) => pods.observe(podId, activity && { ...activity, terminals: openIn(podId) }),
  });
  const unlisten = pods.onChange(metrics.changed);
  metrics.changed();
  return {
    ...metrics,
    stop() {
      unlisten();
      metrics.stop();
    },
  };
}
