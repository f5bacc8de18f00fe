/** The computer that the engine runs on, under /local/v1/machine. */
import type { Machine } from '#contract/machine.ts';
import type { ApiKeys } from '../domain/apiKeys.ts';
import { authorize } from './auth.ts';
import type { Api } from './server.ts';

export interface MachineRoutesOptions {
  keys: ApiKeys;
  /** As it is now; whoever asks is taken to be watching. */
  machine(): Promise<Machine>;
}

export function registerMachineRoutes(api: Api, { keys, machine }: MachineRoutesOptions): void {
  const onRequest = async (request: { raw: Parameters<typeof authorize>[0] }): Promise<void> => {
    authorize(request.raw, keys, 'read', null);
  };
  api.get('/local/v1/machine', { onRequest }, machine);
}
