/** Describes this computer, and the load of its CPU and memory. */
import { cpus, freemem, hostname, totalmem, type CpuInfo } from 'node:os';
import { processorName } from '#contract/core/processorName.ts';
import type { Machine } from '#contract/local/machine.ts';
import type { Clock } from '../../domain/core/ports.ts';

export type MachineFacts = Pick<Machine, 'hostname' | 'platform' | 'cpu' | 'memory'>;

/** The shortest interval of a measurement, milliseconds. An earlier call gets the previous result. */
const SHORTEST_MS = 500;

/** The name of the processor. Some systems report none. */
const modelName = (cores: readonly CpuInfo[]): string => processorName(cores[0]?.model ?? '') || process.arch;

interface Ticks {
  readonly at: number;
  readonly busy: number;
  readonly all: number;
}

/** Returns a function that measures since its previous call. Nothing runs between calls. */
export function createMachineFacts(clock: Clock): () => MachineFacts {
  function ticks(): Ticks {
    let [busy, all] = [0, 0];
    for (const { times } of cpus()) {
      const working = times.user + times.nice + times.sys + times.irq;
      busy += working;
      all += working + times.idle;
    }
    return { at: clock.elapsed(), busy, all };
  }

  let before = ticks();
  let loadPercent: number | null = null;
  return () => {
    const cores = cpus();
    if (clock.elapsed() - before.at >= SHORTEST_MS) {
      const now = ticks();
      const all = now.all - before.all;
      if (all > 0) loadPercent = Math.round((1000 * (now.busy - before.busy)) / all) / 10;
      before = now;
    }
    const totalBytes = totalmem();
    return {
      hostname: hostname(),
      platform: process.platform,
      cpu: { model: modelName(cores), cores: cores.length, loadPercent },
      memory: { totalBytes, usedBytes: totalBytes - freemem() },
    };
  };
}

/** The properties of the machine that do not change during a run. */
export const machineShape = (): { hostname: string; cpuModel: string; cores: number; memoryInGb: number } => {
  const cores = cpus();
  return {
    hostname: hostname(),
    cpuModel: modelName(cores),
    cores: cores.length,
    memoryInGb: Math.max(1, Math.floor(totalmem() / 1024 ** 3)),
  };
};
