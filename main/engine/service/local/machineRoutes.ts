/** The computer that the engine runs on, and the container images on it, under /local/v1. */
import { localImageSchema, type LocalImage } from '#contract/local/image.ts';
import { machineSchema, type Machine } from '#contract/local/machine.ts';
import type { Api } from '../access/api.ts';
import { named, operation } from '../openapi/operation.ts';

export interface MachineRoutesOptions {
  /** The computer as it is now. A caller counts as a person who watches it. */
  machine(): Promise<Machine>;
  /** The images that its container engine has already. */
  images(): Promise<LocalImage[]>;
}

export function registerMachineRoutes(api: Api, { machine, images }: MachineRoutesOptions): void {
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
}
