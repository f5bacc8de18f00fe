/** The computer that the engine runs on, under /local/v1/machine. */
import { machineSchema, type Machine } from '#contract/local/machine.ts';
import type { Api } from '../access/api.ts';
import { named, operation } from '../openapi/operation.ts';

export interface MachineRoutesOptions {
  /** The computer as it is now. A caller counts as a person who watches it. */
  machine(): Promise<Machine>;
}

export function registerMachineRoutes(api: Api, { machine }: MachineRoutesOptions): void {
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
}
