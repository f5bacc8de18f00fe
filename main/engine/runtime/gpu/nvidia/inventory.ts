/** Reads which GPUs nvidia-smi tells of, and the parts of those that are divided. */
import { busKey, mibOf, numberOf, wordOf } from '../reportValues.ts';

/** What never changes while a GPU is there, as fields of `--query-gpu`. The last is not known to drivers before 450. */
export const inventoryFields = ['index', 'uuid', 'pci.bus_id', 'name', 'memory.total', 'driver_version'] as const;
export const migField = 'mig.mode.current';

export interface NvidiaGpu {
  readonly index: number;
  readonly uuid: string;
  readonly busId: string;
  /** Its product name. */
  readonly name: string;
  /** Null where the driver does not tell, as of GPUs that use the machine's own memory. */
  readonly memoryBytes: number | null;
  readonly driverVersion: string | null;
  /** It is divided: only its parts can be used. */
  readonly mig: boolean;
}

/** Drivers before 470 leave the maker's name away from some products. */
const productName = (name: string): string => (/^(GeForce|TITAN)\b/.test(name) ? `NVIDIA ${name}` : name);

/** Of `--query-gpu=… --format=csv,noheader,nounits`. Lines that are no rows, such as warnings, are left out. */
export function readInventory(text: string): NvidiaGpu[] {
  const gpus: NvidiaGpu[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [index, uuid, busId, name, memory, driver, mig] = line.split(',').map((cell) => cell.trim());
    if (index === undefined || !/^\d+$/.test(index) || !uuid?.startsWith('GPU-') || !busId || !name) continue;
    gpus.push({
      index: Number(index),
      uuid,
      busId: busKey(busId),
      name: productName(name),
      memoryBytes: mibOf(memory),
      driverVersion: wordOf(driver),
      mig: mig === 'Enabled',
    });
  }
  return gpus;
}

export interface MigDevice {
  /** Of the GPU that it is a part of. */
  readonly gpuUuid: string;
  readonly uuid: string;
  /** Counts the parts of one GPU. */
  readonly index: number;
  /** Such as `3g.20gb`. */
  readonly profile: string;
}

/** Of `-L`: the parts of the GPUs that are divided. */
export function readMigDevices(text: string): MigDevice[] {
  const devices: MigDevice[] = [];
  let gpuUuid: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    gpuUuid = /^GPU \d+: .*\(UUID: (GPU-[^)]+)\)/.exec(line)?.[1] ?? gpuUuid;
    const [, profile, index, uuid] = /^\s+MIG (\S+)\s+Device\s+(\d+): \(UUID: (MIG-[^)]+)\)/.exec(line) ?? [];
    if (gpuUuid === null || profile === undefined || index === undefined || uuid === undefined) continue;
    devices.push({ gpuUuid, uuid, index: Number(index), profile });
  }
  return devices;
}

/** The memory that a MIG profile is named by, for when no report has told of it. */
export const profileBytes = (profile: string): number => (numberOf(/\.(\d+)gb/.exec(profile)?.[1]) ?? 0) * 2 ** 30;
