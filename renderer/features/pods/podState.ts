/** What a Pod runs on, what it is busy with, how it is reached and what it costs, for a person. */
import type { PodRow, PodsNow } from '#contract/bridge/pod.ts';
import { isLoopbackName } from '#contract/network/hosts.ts';
import { isOnOtherComputer } from '../../client/otherComputer.ts';
import { formatWhen, shortGpuName } from '../../ui/text/format.ts';
import { stateOf, type ShownPod } from '../../ui/text/podWords.ts';
import { counted, t } from '../../language/text.ts';

/** "restarted 2×" for a Pod that runs, with the last end; null if its container did not end by itself. */
export function restartWords({ facts }: PodRow): { short: string; long: string } | null {
  const restarts = facts?.restarts ?? null;
  if (restarts === null || facts?.runtime == null || restarts.isCrashLoop) return null;
  const { times, endedAt, text } = restarts;
  return { short: t`restarted ${times}×`, long: `${formatWhen(Date.parse(endedAt))}: ${text}` };
}

/** As the engine words a pull: with the name of the image, which the row shows otherwise. */
const PULLING = /^Pulling .+?(?:, (\d+) %)?$/;

/** "21 % pulled" for a Pod that starts, or why it does not run; null for any other. */
export function startWords(row: ShownPod): { short: string; long: string } | null {
  const { state, why } = stateOf(row);
  if (why === null || (state !== 'preparing' && state !== 'failing')) return null;
  const pull = PULLING.exec(why);
  if (pull === null) return state === 'failing' ? { short: why, long: why } : null;
  return { short: pull[1] === undefined ? t`pulling` : t`${pull[1]} % pulled`, long: why };
}

/** "2 × RTX 4090", or the processor with its cores. */
export const hardwareOf = ({ pod }: PodRow): string =>
  pod.gpu === null
    ? t`CPU, ${counted(pod.vcpuCount, '{0} core', '{0} cores')}`
    : `${pod.gpuCount} × ${shortGpuName(pod.gpu.displayName)}`;

/** Where the page already says what the container engine lacks, and how to get one: not again for each Pod. */
export const shortProblem = (problem: string | null, containerProblem: string | null): string | null =>
  problem !== null && problem === containerProblem ? t`The container engine does not answer.` : problem;

/** The Pod as the list shows it, whose notice has the problem of the container engine. */
export const withoutRepeat = (row: PodRow, { containerProblem }: PodsNow): PodRow =>
  row.facts === null
    ? row
    : { ...row, facts: { ...row.facts, problem: shortProblem(row.facts.problem, containerProblem) } };

/** "4 cores, 8 GB of memory", or what it has of the machine without a limit; null if that is not known. */
export function limitWords({ pod, facts }: PodRow): string | null {
  const limits = facts?.limits;
  if (limits === undefined) return null;
  const cores = counted(pod.vcpuCount, '{0} core', '{0} cores');
  return [
    limits.vcpuCount === null ? t`all ${cores}` : cores,
    // The API counts whole GB: all of it is shown with decimals elsewhere.
    limits.memoryInGb === null ? t`all the memory` : t`${pod.memoryInGb} GB of memory`,
  ].join(', ');
}

interface PodLoad {
  /** Percent of all its GPUs; null without a GPU, or while it is not running. */
  gpu: number | null;
  gpuMemory: number | null;
  cpu: number | null;
  memory: number | null;
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

export function loadOf({ facts }: PodRow): PodLoad {
  const runtime = facts?.runtime ?? null;
  const gpus = runtime?.gpus ?? [];
  return {
    gpu: mean(gpus.map(({ gpuUtilPercent }) => gpuUtilPercent)),
    gpuMemory: mean(gpus.map(({ memoryUtilPercent }) => memoryUtilPercent)),
    cpu: runtime?.container?.cpuPercent ?? null,
    memory: runtime?.container?.memoryPercent ?? null,
  };
}

export interface PodPort {
  /** As in "8888/http". */
  text: string;
  type: string;
  /** The address of the port; null while there is none. */
  address: string | null;
}

/** Its ports with their current addresses. */
export function portsOf({ pod, facts }: PodRow): PodPort[] {
  const up = facts === null ? pod.desiredStatus === 'RUNNING' : facts.runtime !== null;
  return pod.ports.map((text) => {
    const [port = '', type = ''] = text.split('/');
    const mapped = pod.portMappings?.[port];
    const tcp = mapped === undefined || pod.publicIp === null ? null : `${pod.publicIp}:${mapped}`;
    const address = type === 'http' ? (facts?.httpAddresses[port] ?? null) : tcp;
    return { text, type, address: up ? address : null };
  });
}

interface HttpPort {
  port: string;
  address: string;
}

/** Whether an address leads to the computer of Hangar from there only. */
export const isLocalAddress = (address: string | null): boolean =>
  address !== null && URL.canParse(address) && isLoopbackName(new URL(address).hostname);

/** Its http ports that this browser can open now, in the order of the request. */
export const httpPortsOf = (row: PodRow, isElsewhere = isOnOtherComputer()): HttpPort[] =>
  portsOf(row).flatMap(({ text, type, address }) =>
    type === 'http' && address !== null && !(isElsewhere && isLocalAddress(address))
      ? [{ port: text.split('/')[0] ?? text, address }]
      : [],
  );

/** The first http port of a Pod without a container, stopped or still to start, as in "8888"; null for any other. */
export function awaitedHttpPort({ pod, facts }: PodRow, isElsewhere = isOnOtherComputer()): string | null {
  // From another computer, its address may lead nowhere.
  if (facts === null || facts.runtime !== null || isElsewhere) return null;
  return pod.ports.find((text) => text.endsWith('/http'))?.split('/')[0] ?? null;
}

/** Its cost since its start: what was counted with its rules, else its time by its price. */
export function costSoFar({ pod, facts, autoStop }: PodRow): number | null {
  if (facts?.runtime == null) return null;
  // The engine counts each hour at the price of that hour.
  if (autoStop?.spentUsd != null) return autoStop.spentUsd;
  return pod.costPerHr === 0 ? null : (facts.runtime.uptimeInSeconds / 3600) * pod.costPerHr;
}

/** Whether a shell can begin in a Pod now. Over SSH, the connection says by itself what is not there yet. */
export const isTerminalReady = ({ pod, facts }: PodRow, overSsh: boolean): boolean =>
  pod.desiredStatus === 'RUNNING' && (overSsh || facts?.runtime != null);

/**
 * Why no terminal can be opened into a Pod, as a title and what to do; null if one can: it waits for a container that
 * is started.
 */
export const whyNoTerminal = ({ pod }: PodRow): { title: string; text: string } | null =>
  pod.desiredStatus === 'RUNNING'
    ? null
    : { title: t`The Pod is stopped`, text: t`Start it to open a terminal in it.` };
