/** The file with the load of Pods over time. */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { Logger } from '../../domain/core/ports.ts';
import { addSums, type PodHistoryStore, type PodSums } from '../../domain/pods/metrics/sums.ts';
import { createSpanStore, openSpanFile, quantitySchema, type SpanFileKind } from './spanFile.ts';

const kind: SpanFileKind<PodSums> = {
  key: 'pod',
  name: 'the history of the Pods',
  schema: z.object({
    quantities: z.object({
      cpuPercent: quantitySchema,
      memoryBytes: quantitySchema,
      gpuPercent: quantitySchema,
      gpuMemoryBytes: quantitySchema,
      ownGpuMemoryBytes: quantitySchema,
    }),
    memoryLimitBytes: z.number().nullable(),
    gpuMemoryLimitBytes: z.number().nullable(),
  }),
  addSums,
};

export const podHistoryFile = (dataDir: string): string => join(dataDir, 'pod-history.db');

/** Opens the file, and makes it if there is none. Throws if it is damaged, or an error of SQLite. */
export const openPodHistoryFile = (file: string): DatabaseSync => openSpanFile(file, kind.key);

export const createPodHistoryStore = (dataDir: string, logger: Logger): PodHistoryStore =>
  createSpanStore(podHistoryFile(dataDir), kind, logger);
