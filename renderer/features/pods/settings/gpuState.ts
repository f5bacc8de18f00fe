/** The GPUs of a machine as a new Pod finds them: which ones it gets, and who uses the others. */
import { isNotRunning, isUsedByOthers, type MachineGpu } from '#contract/local/machine.ts';
import { formatMemory, formatPercent } from '../../../ui/text/format.ts';
import { t } from '../../../language/text.ts';

/** What runs on a machine with GPUs, for a form. */
export interface MachineGpus {
  gpus: readonly MachineGpu[];
  /** Why there are no GPUs, or why they are not measured; null if there is no problem. */
  problem: string | null;
  endpointNames: ReadonlyMap<string, string>;
}

/** How many programs of others are named. */
const NAMED_PROGRAMS = 2;

/** The memory in use of a GPU that other programs use, bytes; 0 of any other. */
const foreignBytes = (gpu: MachineGpu): number => (isUsedByOthers(gpu) ? (gpu.load?.memoryUsedBytes ?? 0) : 0);

const isAvailable = ({ enabled, shared, heldBy }: MachineGpu): boolean => enabled && (shared || heldBy.length === 0);

/** The Pods and endpoints that have it, each once. */
const holdersOf = ({ heldBy }: MachineGpu, endpointNames: MachineGpus['endpointNames']): string => {
  const names = heldBy.map((holder) => {
    if (!('podId' in holder)) return t`endpoint ${endpointNames.get(holder.endpointId) ?? holder.endpointId}`;
    const name = t`Pod ${holder.podName ?? holder.podId}`;
    return isNotRunning(holder) ? t`${name} (not running)` : name;
  });
  return [...new Set(names)].join(', ');
};

/** The stopped Pods that had it; empty without one. */
const lastHoldersOf = ({ lastHeldBy = [] }: MachineGpu): string =>
  lastHeldBy.map(({ podName }) => t`Pod ${podName}`).join(', ');

function busyText({ load }: MachineGpu): string {
  const programs = (load?.processes ?? [])
    .slice(0, NAMED_PROGRAMS)
    .map(({ name, memoryBytes }) =>
      memoryBytes === null || memoryBytes === 0 ? name : `${name} ${formatMemory(memoryBytes)}`,
    );
  if (programs.length > 0) return t`used by other programs (${programs.join(', ')})`;
  return t`used by other programs (load ${formatPercent(load?.utilPercent ?? 0)})`;
}

/** "idle", "used by Pod trainer", "kept by Pod trainer (not running)", in the middle of a sentence. */
function useText(gpu: MachineGpu, endpointNames: MachineGpus['endpointNames']): string {
  const holders = holdersOf(gpu, endpointNames);
  if (!gpu.enabled) return t`reserved for you`;
  if (holders !== '') {
    if (gpu.shared) return t`shared with ${holders}`;
    return gpu.heldBy.every(isNotRunning) ? t`kept by ${holders}` : t`used by ${holders}`;
  }
  if (isUsedByOthers(gpu)) return busyText(gpu);
  const lastHolders = lastHoldersOf(gpu);
  if (lastHolders !== '') return t`last used by ${lastHolders} (stopped)`;
  return gpu.load === null ? t`free` : t`idle`;
}

export interface GpuState {
  uuid: string;
  /** As in "GPU 1". */
  name: string;
  use: string;
  /** Whether a Pod with the chosen number of GPUs would get it now. */
  isNext: boolean;
  isAvailable: boolean;
}

/**
 * The GPUs of a type, or all of them. The order in which the engine gives them is: held by the fewest, not used by other
 * programs, not used last by a stopped Pod, by index.
 */
export function gpuStates({ gpus, endpointNames }: MachineGpus, typeId: string | null, count: number): GpuState[] {
  const ofType = gpus.filter((gpu) => typeId === null || gpu.typeId === typeId);
  const inOrder = ofType
    .filter(isAvailable)
    .toSorted(
      (a, b) =>
        a.heldBy.length - b.heldBy.length ||
        Number(isUsedByOthers(a)) - Number(isUsedByOthers(b)) ||
        Number(lastHoldersOf(a) !== '') - Number(lastHoldersOf(b) !== '') ||
        foreignBytes(a) - foreignBytes(b) ||
        a.index - b.index,
    );
  const next = inOrder.length < count ? [] : inOrder.slice(0, count);
  return ofType
    .toSorted((a, b) => a.index - b.index)
    .map((gpu) => ({
      uuid: gpu.uuid,
      name: t`GPU ${gpu.index}`,
      use: useText(gpu, endpointNames),
      isNext: next.includes(gpu),
      isAvailable: isAvailable(gpu),
    }));
}

/** Why a Pod on the processor runs there, although nobody may have chosen it. */
export function processorReason(machine: MachineGpus): string {
  if (machine.gpus.length === 0) {
    return machine.problem === null
      ? t`The machine has no GPU: the Pod runs on the CPU.`
      : t`No GPU: the Pod runs on the CPU. ${machine.problem}`;
  }
  const [free] = gpuStates(machine, null, 1).filter(({ isNext }) => isNext);
  return free ? t`The Pod runs on the CPU. ${free.name} is available.` : t`No GPU is free: the Pod runs on the CPU.`;
}
