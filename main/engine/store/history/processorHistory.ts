/** The file with the load of the processor and the memory of the machine over time. */
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { Logger } from '../../domain/core/ports.ts';
import { addSums, type ProcessorHistoryStore, type ProcessorSums } from '../../domain/processor/history.ts';
import { createSpanStore, openSpanFile, quantitySchema, type SpanFileKind } from './spanFile.ts';

const kind: SpanFileKind<ProcessorSums> = {
  key: 'processor',
  name: 'the history of the processor',
  schema: z.object({ loadPercent: quantitySchema, memoryBytes: quantitySchema }),
  addSums,
};

export const processorHistoryFile = (dataDir: string): string => join(dataDir, 'processor-history.db');

/** Opens the file, and makes it if there is none. Throws if it is damaged, or an error of SQLite. */
export const openProcessorHistoryFile = (file: string): DatabaseSync => openSpanFile(file, kind.key);

export const createProcessorHistoryStore = (dataDir: string, logger: Logger): ProcessorHistoryStore =>
  createSpanStore(processorHistoryFile(dataDir), kind, logger);
