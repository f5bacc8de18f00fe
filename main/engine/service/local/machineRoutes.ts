/** The computer that the engine runs on, its history and that of its GPUs, and the container images on it, under /local/v1. */
import * as z from 'zod';
import { gpuHistoryQuerySchema, gpuHistorySchema } from '#contract/local/gpuHistory.ts';
import { diskUsageSchema, type DiskUsage } from '#contract/local/disk/usage.ts';
import { localImageSchema, type LocalImage } from '#contract/local/image.ts';
import {
  machineSchema,
  processorHistoryQuerySchema,
  processorHistorySchema,
  type Machine,
} from '#contract/local/machine.ts';
import type { GpuHistoryRecorder } from '../../domain/gpus/history/history.ts';
import type { ProcessorHistoryRecorder } from '../../domain/processor/history.ts';
import { defaultPeriod } from '../../domain/gpus/history/steps.ts';
import type { Api } from '../access/api.ts';
import { named, operation } from '../openapi/operation.ts';

const PERIOD_WORDS = `How far back: the last 15 minutes, hour, 6 hours or day; ${defaultPeriod} without.`;

const imageQuerySchema = z.object({ name: z.string().min(1).max(1000) });

export interface MachineRoutesOptions {
  /** The computer as it is now. A caller counts as a person who watches it. */
  machine(): Promise<Machine>;
  /** The images that its container engine has already. */
  images(): Promise<LocalImage[]>;
  /** Throws NOT_FOUND for an unknown image, CONFLICT while a container was made from it. */
  removeImage(name: string): Promise<void>;
  /** Measures what takes how much of the disk. */
  disk(): Promise<DiskUsage>;
  gpuHistory: GpuHistoryRecorder['of'];
  processorHistory: ProcessorHistoryRecorder['of'];
}

export function registerMachineRoutes(
  api: Api,
  { machine, images, removeImage, disk, gpuHistory, processorHistory }: MachineRoutesOptions,
): void {
  api.get(
    '/local/v1/machine',
    operation({
      id: 'machine',
      group: 'engine',
      need: 'read',
      summary:
        'Tells of the computer that the engine runs on: its processor, memory and GPUs, and what runs workers there.',
      answers: {
        200: { words: 'The computer, measured since it was asked for last.', shape: named('Machine', machineSchema) },
      },
    }),
    machine,
  );
  api.get(
    '/local/v1/images',
    operation({
      id: 'images',
      group: 'engine',
      need: 'read',
      summary: 'Lists the images that the container engine of this computer has already, the newest first.',
      answers: {
        200: {
          words: 'The images, one for each name; none where no container engine answers.',
          shape: { listOf: named('LocalImage', localImageSchema) },
        },
      },
      refusals: ['UNAVAILABLE'],
    }),
    images,
  );
  api.delete(
    '/local/v1/images',
    operation({
      id: 'removeImage',
      group: 'engine',
      need: 'all',
      summary: 'Removes one name of an image; with its last name, the image itself.',
      querystring: imageQuerySchema,
      query: { name: 'The name with its tag, as the list has it.' },
      answers: { 204: { words: 'It is gone.', shape: null } },
      refusals: ['NOT_FOUND', 'CONFLICT', 'UNAVAILABLE'],
    }),
    async ({ query: { name } }, reply) => {
      await removeImage(name);
      return reply.code(204).send();
    },
  );
  api.get(
    '/local/v1/disk',
    operation({
      id: 'diskUsage',
      group: 'engine',
      need: 'read',
      summary: 'Measures what takes how much of the disk, which takes from a moment to many seconds.',
      answers: {
        200: { words: 'The disk and its parts, the largest first.', shape: named('DiskUsage', diskUsageSchema) },
      },
    }),
    disk,
  );
  api.get(
    '/local/v1/gpus/history',
    operation({
      id: 'gpuHistory',
      group: 'engine',
      need: 'read',
      summary: 'Tells the load, memory, power and temperature of each GPU over time, and who used it.',
      querystring: gpuHistoryQuerySchema,
      query: {
        period: PERIOD_WORDS,
        gpu: 'The index or the uuid of one GPU; all GPUs without.',
      },
      refusals: ['BAD_REQUEST', 'NOT_FOUND'],
      answers: {
        200: {
          words: 'The GPUs of this machine, each with the parts of the period, oldest first.',
          shape: { listOf: named('GpuHistory', gpuHistorySchema) },
        },
      },
    }),
    async ({ query: { period, gpu } }) => gpuHistory(period ?? defaultPeriod, gpu),
  );
  api.get(
    '/local/v1/machine/history',
    operation({
      id: 'processorHistory',
      group: 'engine',
      need: 'read',
      summary: 'Tells the load of the processor and the used memory of this computer over time.',
      querystring: processorHistoryQuerySchema,
      query: { period: PERIOD_WORDS },
      refusals: ['BAD_REQUEST'],
      answers: {
        200: {
          words: 'The parts of the period, oldest first.',
          shape: named('ProcessorHistory', processorHistorySchema),
        },
      },
    }),
    async ({ query: { period } }) => processorHistory(period ?? defaultPeriod),
  );
}
