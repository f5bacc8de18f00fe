/**
 * Records the history of the GPUs of this machine, with the workers and Pods of this engine apart from other programs.
 */
import type { Clock } from './domain/core/ports.ts';
import { createGpuHistory, type GpuHistoryRecorder } from './domain/gpus/history/history.ts';
import type { Hardware } from './hardware.ts';
import type { Records } from './persistence.ts';
import { createGpuUse, type GpuUseOptions } from './runtime/gpu/gpuUse.ts';

interface Parts {
  clock: Clock;
  records: Records;
  hardware: Hardware;
}

/** Records from now on; `stop` ends that and stores the rest. */
export function createGpuRecorder(
  { clock, records, hardware }: Parts,
  workers: GpuUseOptions['workers'],
): GpuHistoryRecorder {
  const findUse = createGpuUse({ workers, endpointName: (id) => records.endpoints.find(id)?.name ?? null });
  const history = createGpuHistory({ clock, store: records.histories.gpus, gpus: hardware.gpus.list, findUse });
  const unlisten = hardware.onMeasured(history.measured);
  return {
    ...history,
    stop() {
      unlisten();
      history.stop();
    },
  };
}
