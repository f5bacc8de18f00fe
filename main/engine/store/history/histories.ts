/** The files with what was measured over time: of GPUs, of Pods and of the processor. */
import type { Logger } from '../../domain/core/ports.ts';
import type { GpuHistoryStore } from '../../domain/gpus/history/ports.ts';
import type { PodHistoryStore } from '../../domain/pods/metrics/sums.ts';
import type { ProcessorHistoryStore } from '../../domain/processor/history.ts';
import { createGpuHistoryStore } from './gpuHistory.ts';
import { createPodHistoryStore } from './podHistory.ts';
import { createProcessorHistoryStore } from './processorHistory.ts';

export interface Histories {
  readonly gpus: GpuHistoryStore;
  readonly pods: PodHistoryStore;
  readonly processor: ProcessorHistoryStore;
  /** Sentences for a person, of all. */
  notices(): string[];
  close(): void;
}

export function createHistories(dataDir: string, logger: Logger): Histories {
  const gpus = createGpuHistoryStore(dataDir, logger);
  const pods = createPodHistoryStore(dataDir, logger);
  const processor = createProcessorHistoryStore(dataDir, logger);
  const all = [gpus, pods, processor];
  return {
    gpus,
    pods,
    processor,
    notices: () => all.flatMap((store) => store.notices()),
    close() {
      for (const store of all) store.close();
    },
  };
}
