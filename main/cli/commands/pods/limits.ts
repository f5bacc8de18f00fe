/** `hangar pods limits`: shows and changes how many cores and how much memory a Pod may use. */
import type { Command } from 'commander';
import type { PodLimits, PodLimitsChange } from '#contract/api/pod.ts';
import { limits } from '#contract/core/limits.ts';
import type { Cli } from '../../cli.ts';
import { CommandFailure, exitCodes } from '../../failure.ts';
import { findAccount, findPod } from '../../targets.ts';
import { ACCOUNT, numberOr, type AccountOption } from '../shared.ts';

interface LimitsOptions extends AccountOption {
  cores?: string;
  memory?: string;
}

/** An engine also refuses what is above its machine. */
const CORES = limits.endpoint.vcpuCount;
const MEMORY_GB = { min: 1, max: limits.pod.memoryGb.max };

function changeOf({ cores, memory }: LimitsOptions): PodLimitsChange {
  return {
    ...(cores !== undefined && { vcpuCount: numberOr('all', '--cores', cores, CORES) }),
    ...(memory !== undefined && { memoryInGb: numberOr('all', '--memory', memory, MEMORY_GB) }),
  };
}

function sentence(name: string, { vcpuCount, memoryInGb }: PodLimits): string {
  const cores =
    vcpuCount === null ? 'all cores of its machine' : `at most ${vcpuCount} ${vcpuCount === 1 ? 'core' : 'cores'}`;
  const memory = memoryInGb === null ? 'all of its memory' : `at most ${memoryInGb} GB of memory`;
  return `The Pod "${name}" may use ${cores} and ${memory}.`;
}

async function showOrChange(cli: Cli, wanted: string, options: LimitsOptions): Promise<void> {
  const change = changeOf(options);
  const client = await cli.client();
  const account = await findAccount(client, options.account);
  const { pod, facts } = await findPod(client, account, wanted);
  const isChange = Object.keys(change).length > 0;
  const now = isChange
    ? await client.pods.changeLimits({ accountId: account.id, podId: pod.id, change })
    : (facts?.limits ?? null);
  if (now === null)
    throw new CommandFailure(exitCodes.failed, `${account.name} does not report the limits of its Pods.`);
  cli.output.answer(sentence(pod.name || pod.id, now), { id: pod.id, ...now });
}

export function addPodLimits(pods: Command, cli: () => Cli): void {
  pods
    .command('limits')
    .description('show or change how many cores and how much memory a Pod may use, also while it runs')
    .argument('<pod>', 'id or name of the Pod')
    .option('--cores <number>', 'maximum number of cores; all removes the limit')
    .option('--memory <GB>', 'maximum memory, in GB of 1024³ bytes; all removes the limit')
    .option(...ACCOUNT)
    .action((pod: string, options: LimitsOptions) => showOrChange(cli(), pod, options));
}
