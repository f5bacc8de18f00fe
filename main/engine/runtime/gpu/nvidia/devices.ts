/** The usable NVIDIA devices: whole GPUs, and the parts of GPUs that are divided by MIG. */
import type { KnownGpu } from '../../../domain/gpus/machineGpus.ts';
import { firstLine, type Answer } from '../runTool.ts';
import {
  inventoryFields,
  migField,
  profileBytes,
  readInventory,
  readMigDevices,
  type MigDevice,
  type NvidiaGpu,
} from './inventory.ts';
import type { NvidiaLoad } from './loads.ts';

/** A GPU, or a part of a GPU that is divided by MIG. */
export interface Device {
  readonly gpu: NvidiaGpu;
  readonly part: MigDevice | null;
}

export const uuidOf = ({ gpu, part }: Device): string => (part ?? gpu).uuid;

const tableOf = (fields: readonly string[]): string[] => [
  `--query-gpu=${fields.join(',')}`,
  '--format=csv,noheader,nounits',
];

/** The devices, or a sentence with the problem. `query` runs nvidia-smi with arguments. */
export async function listDevices(
  query: (args: readonly string[]) => Promise<Answer>,
): Promise<readonly Device[] | string> {
  let answer = await query(tableOf([...inventoryFields, migField]));
  if ('failure' in answer && answer.failure.includes('not a valid field'))
    answer = await query(tableOf(inventoryFields));
  if ('failure' in answer) return answer.failure;
  const gpus = readInventory(answer.text);
  if (gpus.length === 0) return `nvidia-smi: ${firstLine(answer.text) ?? 'it lists no GPU'}`;
  if (!gpus.some(({ mig }) => mig)) return gpus.map((gpu) => ({ gpu, part: null }));
  const list = await query(['-L']);
  if ('failure' in list) return list.failure;
  const parts = readMigDevices(list.text);
  return gpus.flatMap((gpu): Device[] =>
    gpu.mig
      ? parts.filter(({ gpuUuid }) => gpuUuid === gpu.uuid).map((part) => ({ gpu, part }))
      : [{ gpu, part: null }],
  );
}

/** nvidia-smi reports only the memory of a MIG part. */
const UNMEASURED = { utilPercent: null, temperatureC: null, powerW: null };

function loadOf({ part }: Device, whole: NvidiaLoad | undefined, at: string): KnownGpu['load'] {
  const measured = part ? whole?.parts.get(part.index) : whole;
  if (!whole || !measured) return null;
  const { utilPercent, temperatureC, powerW } = part ? UNMEASURED : whole;
  const { memoryUsedBytes, processes } = measured;
  return { at, memoryUsedBytes, processes, utilPercent, temperatureC, powerW };
}

/**
 * A device with its load.
 *
 * @param loads The load of each GPU by its bus id; null before the first report.
 * @param at The time of the report, in ISO 8601.
 * @param machineBytes The memory of this machine, which GPUs without memory of their own use.
 */
export function toKnownGpu(
  device: Device,
  loads: ReadonlyMap<string, NvidiaLoad> | null,
  at: string,
  machineBytes: number,
): KnownGpu {
  const { gpu, part } = device;
  const whole = loads?.get(gpu.busId);
  const nameOfPart = part ? ` MIG ${part.profile}` : '';
  const partBytes = part ? (whole?.parts.get(part.index)?.memoryTotalBytes ?? profileBytes(part.profile)) : null;
  return {
    uuid: uuidOf(device),
    index: gpu.index,
    vendor: 'nvidia',
    typeId: `${gpu.name}${nameOfPart}`,
    memoryBytes: partBytes ?? gpu.memoryBytes ?? machineBytes,
    driverVersion: gpu.driverVersion,
    load: loadOf(device, whole, at),
  };
}
