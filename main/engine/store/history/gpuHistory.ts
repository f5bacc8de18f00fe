/** The file with the history of GPUs. */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { gpuUserSchema } from '#contract/local/gpuHistory.ts';
import type { Logger } from '../../domain/core/ports.ts';
import type { GpuHistoryStore } from '../../domain/gpus/history/ports.ts';
import { addSums, type GpuSums } from '../../domain/gpus/history/sums.ts';
import { createSpanStore, openSpanFile, quantitySchema, type SpanFileKind } from './spanFile.ts';

const kind: SpanFileKind<GpuSums> = {
  key: 'gpu',
  name: 'the history of the GPUs',
  schema: z.object({
    quantities: z.object({
      utilPercent: quantitySchema,
      memoryBytes: quantitySchema,
      powerW: quantitySchema,
      temperatureC: quantitySchema,
      ownMemoryBytes: quantitySchema,
    }),
    users: z.array(gpuUserSchema),
  }),
  addSums,
};

export const gpuHistoryFile = (dataDir: string): string => join(dataDir, 'gpu-history.db');

/** Opens the file, and makes it if there is none. Throws if it is damaged, or an error of SQLite. */
export const openGpuHistoryFile = (file: string): DatabaseSync => openSpanFile(file, kind.key);

export const createGpuHistoryStore = (dataDir: string, logger: Logger): GpuHistoryStore =>
  createSpanStore(gpuHistoryFile(dataDir), kind, logger);
