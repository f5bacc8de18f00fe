/** The messages for a person about a wish for GPUs that is refused, or granted with a difference. */
import type { GpuClaim, GpuHolder, GpuWish } from './claims.ts';
import { asId, type KnownGpu } from './machineGpus.ts';

const list = (names: readonly string[]): string => names.join(', ');

/** Lists the first names: "workers a, b, c and 2 more". */
function named(noun: string, ids: readonly string[]): string {
  const ones = ids.length > 3 ? `${list(ids.slice(0, 3))} and ${ids.length - 3} more` : list(ids);
  return ids.length === 0 ? '' : `${noun}${ids.length === 1 ? '' : 's'} ${ones}`;
}

/** The page turns a name with its id in brackets into a link. */
const withName = (name: string | undefined, id: string): string =>
  name === undefined ? id : `${JSON.stringify(name)} (${id})`;

const workerText = ({ workerId, endpointId, endpointName }: Exclude<GpuHolder, { podId: string }>): string =>
  endpointName === undefined ? workerId : `${workerId} of endpoint ${withName(endpointName, endpointId)}`;

/** Lists the GPUs of the machine, for a person: "1 NVIDIA L4, 2 NVIDIA A40". */
function has(gpus: readonly KnownGpu[]): string {
  const counts = new Map<string, number>();
  for (const { typeId } of gpus) counts.set(typeId, (counts.get(typeId) ?? 0) + 1);
  return list([...counts].map(([typeId, count]) => `${count} ${typeId}`));
}

function describeWish({ gpuCount, gpuTypeIds }: GpuWish): string {
  const ofOne = gpuCount === 1 ? '' : ' of one type';
  const types = gpuTypeIds.length === 0 ? ofOne : ` of type ${gpuTypeIds.join(' or ')}`;
  return `${gpuCount} ${gpuCount === 1 ? 'GPU' : 'GPUs'}${types}`;
}

/**
 * The answer to a wish that has to wait. `candidates`: all GPUs of suitable types; `enabled`: the candidates that
 * workers may use; `holders`: the current holders of the enabled GPUs; `count`: the number of GPUs of the wish.
 */
export function waitingClaim(
  candidates: readonly KnownGpu[],
  enabled: readonly KnownGpu[],
  holders: readonly GpuHolder[],
  count: number,
): GpuClaim {
  const names = list([...new Set(candidates.map(({ typeId }) => typeId))]);
  if (enabled.length < candidates.length && enabled.length < count) {
    const are = candidates.length - enabled.length;
    const off = `${are} of ${candidates.length} ${are === 1 ? 'is' : 'are'} switched off for workers. Switch ${are === 1 ? 'it' : 'them'} on under This computer.`;
    return { kind: 'wait', message: `It waits for ${names}: ${off}`, lacking: `of ${names} ${off}` };
  }
  const workers = [...new Set(holders.flatMap((holder) => ('podId' in holder ? [] : [workerText(holder)])))];
  const pods = [
    ...new Set(holders.flatMap((holder) => ('podId' in holder ? [withName(holder.podName, holder.podId)] : []))),
  ];
  const who = [named('worker', workers), named('Pod', pods)].filter((text) => text !== '').join(' and ');
  const wish = count === 1 ? 'a free GPU' : `${count} free GPUs of one type`;
  const holdersText = `${who} ${holders.length > 0 && workers.length + pods.length === 1 ? 'holds' : 'hold'}`;
  return {
    kind: 'wait',
    message: `It waits for ${wish} (${names}); ${holdersText} what is there. A GPU can be shared under This computer.`,
    lacking: `${holdersText} ${names}. A GPU can be shared under This computer.`,
  };
}

/** The answer to a wish that this machine can never grant. `problem`: the known reason why no GPU is usable. */
export function neverClaim(
  gpus: readonly KnownGpu[],
  wish: GpuWish,
  problem: string | null,
): Extract<GpuClaim, { kind: 'never' }> {
  const present = gpus.length > 0 ? has(gpus) : `no GPU that can be used${problem === null ? '' : ` (${problem})`}`;
  const wantedTypes = wish.gpuTypeIds;
  const wishText = describeWish(wish);
  const enough = wantedTypes.some((wantedType) => gpus.some(({ typeId }) => asId(typeId) === asId(wantedType)));
  const change =
    gpus.length > 0 && (enough || wantedTypes.length === 0)
      ? 'lower its gpuCount'
      : gpus.length > 0
        ? 'name one of these in its gpuTypeIds, leave gpuTypeIds empty for any GPU'
        : 'leave its gpuTypeIds empty';
  return {
    kind: 'never',
    message: `Each of its workers wants ${wishText}, and this machine has ${present}. To run it here, ${change}, or name the type CPU.`,
    lacking: `${wishText} ${wish.gpuCount === 1 ? 'is' : 'are'} wanted, and this machine has ${present}. Ask for what it has, or for gpuCount 0 to use the CPU.`,
  };
}

/** The notice for workers that ask for a GPU type and get the CPU. */
export const cpuMessage = (wish: GpuWish): string =>
  `It asks for ${describeWish(wish)}, and this machine has no GPU: its workers run on the CPU.`;
