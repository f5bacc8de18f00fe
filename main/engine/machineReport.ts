/** Looks once at what this machine has for workers, without an engine: for the command line where no Hangar runs. */
import type { Machine } from '#contract/local/machine.ts';
import { createEngineFinder } from './runtime/containers/engine/discovery.ts';
import { createPythonFinder } from './runtime/folders/python.ts';
import { createGpus, type Gpus } from './runtime/gpu/gpus.ts';
import { systemClock } from './runtime/host/systemClock.ts';

export interface MachineReport extends Pick<Machine, 'containers' | 'gpuProblem' | 'python'> {
  gpus: { typeId: string; memoryBytes: number }[];
}

/** Settles once each maker's program has told of its GPUs, or has failed. */
function detected(gpus: Gpus): Promise<void> {
  if (gpus.list() !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const unlisten = gpus.onChange(() => {
      if (gpus.list() === null) return;
      unlisten();
      resolve();
    });
  });
}

async function findGpus(): Promise<Pick<MachineReport, 'gpus' | 'gpuProblem'>> {
  const source = createGpus({ clock: systemClock });
  try {
    await detected(source);
    const gpus = (source.list() ?? []).map(({ typeId, memoryBytes }) => ({ typeId, memoryBytes }));
    return { gpus, gpuProblem: source.problem() };
  } finally {
    await source.stop();
  }
}

/** Asks the container engine, the programs of GPU makers and Python, each within a limit of time. Never rejects. */
export async function reportMachine(): Promise<MachineReport> {
  const [containers, gpus, { version, reason }] = await Promise.all([
    createEngineFinder().facts(),
    findGpus(),
    createPythonFinder().find(),
  ]);
  return { containers, ...gpus, python: { version, problem: reason } };
}
