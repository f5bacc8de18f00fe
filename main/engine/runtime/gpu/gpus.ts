/** The GPUs of this machine, measured by the tool of each vendor, and the reason where there are none. */
import { totalmem } from 'node:os';
import type { GpuLoad } from '#contract/local/machine.ts';
import type { GpuSource, KnownGpu } from '../../domain/gpus/machineGpus.ts';
import type { Cancel, Clock } from '../../domain/core/ports.ts';
import { findProgram } from '../host/findProgram.ts';
import { nvidiaFolders, rocmFolders } from './programFolders.ts';
import { createNvidiaGpus } from './nvidia/nvidiaSmi.ts';
import { createRocmGpus } from './amd/rocmSmi.ts';
import { usualPace, type SamplingPace, type VendorGpus } from './sampler.ts';

export interface Gpus extends GpuSource {
  /** Reports that a client wants the load. Repeated calls mean that it watches: then the load is measured often. */
  watch(): void;
  /** Reports whether a worker or Pod has a GPU: the load is measured more often then. */
  setUsed(isUsed: boolean): void;
  /** The programs with memory on a GPU now, largest first; empty where the driver does not report them. */
  memoryHolders(uuid: string): Promise<GpuLoad['processes']>;
  /** Called after each measurement of a vendor's GPUs: every few seconds while a client watches or a GPU is used, seldom otherwise. */
  onMeasured(listener: () => void): Cancel;
  /** Resolves once no tool runs. */
  stop(): Promise<void>;
}

export interface GpusOptions {
  clock: Clock;
  /** The environment of the engine, with the PATH to search. */
  env?: NodeJS.ProcessEnv;
  pace?: SamplingPace;
}

/** How often a machine without GPUs is searched again while a client watches: a driver may have been installed. */
const SEARCH_AGAIN_MS = 60_000;

/** A client with longer pauses between calls does not count as watching: it may be a status line. */
const WATCHES_MS = 5000;

const NONE =
  process.platform === 'darwin'
    ? 'On a Mac no GPU is given to workers, and everything runs on the CPU. Handlers may use Metal by themselves.'
    : 'Neither nvidia-smi nor rocm-smi is on this machine, so everything runs on the CPU. ' +
      'If there is a GPU, install its driver (NVIDIA) or ROCm (AMD).';

const WITHOUT = 'Everything runs on the CPU.';

export function createGpus({ clock, env = process.env, pace = usualPace }: GpusOptions): Gpus {
  const listeners = new Set<() => void>();
  const measureListeners = new Set<() => void>();
  let vendors: readonly VendorGpus[] = [];
  let searchedAt = 0;
  let askedAt = -Infinity;
  let stopped = false;
  let used = false;
  const onChange = (): void => {
    for (const listener of [...listeners]) listener();
  };
  const onMeasured = (): void => {
    for (const listener of [...measureListeners]) listener();
  };

  /** Searches for files only. Without a vendor's tool, it starts no program and takes no time. */
  function search(): void {
    searchedAt = clock.elapsed();
    const shared = { clock, env, pace, onChange, onMeasured };
    const nvidia = findProgram('nvidia-smi', env, nvidiaFolders(env));
    const rocm = findProgram('rocm-smi', env, rocmFolders());
    vendors = [
      ...(nvidia === null ? [] : [createNvidiaGpus({ ...shared, program: nvidia, machineBytes: totalmem() })]),
      ...(rocm === null ? [] : [createRocmGpus({ ...shared, program: rocm })]),
    ];
    for (const vendor of vendors) vendor.setUsed(used);
  }

  search();

  const list = (): readonly KnownGpu[] | null => {
    const all = vendors.map((vendor) => vendor.list());
    return all.includes(null) ? null : all.flatMap((gpus) => gpus ?? []);
  };

  return {
    list,
    problem() {
      const problems = vendors.map((vendor) => vendor.problem()).filter((problem) => problem !== null);
      const gpus = list();
      if (gpus === null || gpus.length > 0) return problems.join('; ') || null;
      return problems.length > 0 ? `${WITHOUT} ${problems.join('; ')}` : NONE;
    },
    driverFails: () => vendors.some((vendor) => vendor.problem() !== null),
    onChange(listener) {
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    onMeasured(listener) {
      const own = (): void => listener();
      measureListeners.add(own);
      return () => void measureListeners.delete(own);
    },

    watch() {
      if (stopped) return;
      const at = clock.elapsed();
      const watches = at - askedAt <= WATCHES_MS;
      askedAt = at;
      if (vendors.length === 0 && at - searchedAt >= SEARCH_AGAIN_MS) search();
      if (watches) for (const vendor of vendors) vendor.watch();
    },
    setUsed(isUsed) {
      used = isUsed;
      for (const vendor of vendors) vendor.setUsed(isUsed);
    },
    async memoryHolders(uuid) {
      const vendor = vendors.find((one) => one.list()?.some((gpu) => gpu.uuid === uuid));
      return vendor ? vendor.processes(uuid) : [];
    },
    async stop() {
      stopped = true;
      await Promise.all(vendors.map((vendor) => vendor.stop()));
    },
  };
}
