/** The computer that the engine runs on, under /local/v1/machine. */
import type { Machine } from '#contract/local/machine.ts';
import { needs } from '../access/routeAccess.ts';
import type { Api } from '../access/api.ts';

export interface MachineRoutesOptions {
  /** As it is now; whoever asks is taken to be watching. */
  machine(): Promise<Machine>;
}

export function registerMachineRoutes(api: Api, { machine }: MachineRoutesOptions): void {
  api.get('/local/v1/machine', needs('read'), machine);
}
