/** A machine as the app tells it to the page: without a GPU or a container engine. */
import { machineSchema, type Machine } from '#contract/local/machine.ts';

export const machineOf = (changes: Partial<Machine> = {}): Machine =>
  machineSchema.parse({
    hostname: 'atlas',
    platform: 'linux',
    cpu: { model: 'CPU', cores: 8, loadPercent: 5 },
    memory: { totalBytes: 32 * 1024 ** 3, usedBytes: 4 * 1024 ** 3 },
    gpus: [],
    gpuProblem: null,
    containers: { available: false, name: null, version: null, address: null, problem: 'None was found.' },
    python: { version: '3.12.4', problem: null },
    pause: { state: 'running', source: null, message: null, since: null, until: null, overruled: [] },
    onBattery: null,
    ...changes,
  });
