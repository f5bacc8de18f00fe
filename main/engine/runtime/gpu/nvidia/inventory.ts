/** Parses the lists of nvidia-smi: GPUs, and the parts of divided GPUs. */
import { busKey, mibOf, numberOf, wordOf } from '../reportValues.ts';

/** The constant properties of a GPU, as fields of `--query-gpu`. Drivers before 450 do not know the last one. */
export const inventoryFields = ['index', 'uuid', 'pci.bus_id', 'name', 'memory.total', 'driver_version'] as const;
export const migField = 'mig.mode.current';

export interface NvidiaGpu {
  readonly index: number;
  readonly uuid: string;
  readonly busId: string;
  /** The product name. */
  readonly name: string;
  /** Null where the driver does not report it, for example for GPUs that use the memory of the machine. */
  readonly memoryBytes: number | null;
  readonly driverVersion: string | null;
  /** It is divided: only its parts are usable. */
  readonly mig: boolean;
}

/** Drivers before 470 omit the vendor in some product names. */
const productName = (name: string): string => (/^(GeForce|TITAN)\b/.test(name) ? `NVIDIA ${name}` : name);

/**
 * Parses the output of `--query-gpu=… --format=csv,noheader,nounits`. Skips lines that are no rows, such as warnings.
 */
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
  /** The uuid of the divided GPU. */
  readonly gpuUuid: string;
  readonly uuid: string;
  /** The index of the part within its GPU. */
  readonly index: number;
  /** The profile, such as `3g.20gb`. */
  readonly profile: string;
}

/** Parses the output of `-L`: the parts of divided GPUs. */
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

/** The memory in the name of a MIG profile, bytes. Used before a report contains the real size. */
export const profileBytes = (profile: string): number => (numberOf(/\.(\d+)gb/.exec(profile)?.[1]) ?? 0) * 2 ** 30;
