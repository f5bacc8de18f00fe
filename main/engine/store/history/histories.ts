/** The files with what was measured over time: of GPUs and of Pods. */
import type { Logger } from '../../domain/core/ports.ts';
import type { GpuHistoryStore } from '../../domain/gpus/history/ports.ts';
import type { PodHistoryStore } from '../../domain/pods/metrics/sums.ts';
import { createGpuHistoryStore } from './gpuHistory.ts';
import { createPodHistoryStore } from './podHistory.ts';

export interface Histories {
  readonly gpus: GpuHistoryStore;
  readonly pods: PodHistoryStore;
  /** Sentences for a person, of both. */
  notices(): string[];
  close(): void;
}

export function createHistories(dataDir: string, logger: Logger): Histories {
  const gpus = createGpuHistoryStore(dataDir, logger);
  const pods = createPodHistoryStore(dataDir, logger);
  return {
    gpus,
    pods,
    notices: () => [...gpus.notices(), ...pods.notices()],
    close() {
      gpus.close();
      pods.close();
    },
  };
}
