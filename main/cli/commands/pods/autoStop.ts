/** `hangar pods auto-stop`: shows and changes when a Pod stops by itself. */
import type { Command } from 'commander';
import { autoStopLimits, type AutoStop, type AutoStopChange } from '#contract/api/autoStop.ts';
import { minutesText } from '#contract/api/autoStopRule.ts';
import type { Cli } from '../../cli.ts';
import { CommandFailure, exitCodes } from '../../failure.ts';
import { dollars } from '../../output/units.ts';
import { findAccount, findPod } from '../../targets.ts';
import { ACCOUNT, numberOr, type AccountOption } from '../shared.ts';

interface AutoStopOptions extends AccountOption {
  idle?: string;
  cost?: string;
}

function changeOf({ idle, cost }: AutoStopOptions): AutoStopChange {
  return {
    ...(idle !== undefined && { idleMinutes: numberOr('never', '--idle', idle, autoStopLimits.idleMinutes) }),
    ...(cost !== undefined && { spendUsd: numberOr('never', '--cost', cost, autoStopLimits.spendUsd) }),
  };
}

/** The rules and what they make of the Pod now, in sentences. */
function sentences(name: string, { rules, idleSince, busyWith, next, spentUsd, stopped }: AutoStop): string {
  const { idleMinutes, spendUsd } = rules;
  if (idleMinutes === null && spendUsd === null) return `The Pod "${name}" does not stop automatically.`;
  const conditions = [
    ...(idleMinutes === null ? [] : [`once it is idle for ${minutesText(idleMinutes)}`]),
    ...(spendUsd === null ? [] : [`once it has cost ${dollars(spendUsd)} since its start`]),
  ];
  return [
    `The Pod "${name}" stops ${conditions.join(', or ')}.`,
    ...(stopped === null ? [] : [`It was stopped at ${stopped.at}: ${stopped.reason}.`]),
    ...(idleSince === null ? [] : [`It is idle since ${idleSince}.`]),
    ...(idleMinutes === null || busyWith === null ? [] : [`It is not idle: ${busyWith}`]),
    ...(spendUsd === null || spentUsd === null ? [] : [`It has cost ${dollars(spentUsd)} so far.`]),
    ...(next === null ? [] : [`It stops at ${next.at} if nothing changes.`]),
  ].join('\n');
}

async function autoStop(cli: Cli, wanted: string, options: AutoStopOptions): Promise<void> {
  const change = changeOf(options);
  const client = await cli.client();
  const account = await findAccount(client, options.account);
  const { pod, autoStop: before } = await findPod(client, account, wanted);
  if (Object.keys(change).length === 0 && before === undefined) {
    throw new CommandFailure(exitCodes.failed, `The Hangar of ${account.name} is too old to stop Pods automatically.`);
  }
  const isChange = before === undefined || Object.keys(change).length > 0;
  const at = { accountId: account.id, podId: pod.id };
  const now = isChange ? await client.pods.changeAutoStop({ ...at, change }) : before;
  if (cli.output.isForPerson && account.kind === 'cloud') {
    cli.output.note(`Pods of ${account.name} are stopped by this Hangar, and only while it runs.`);
  }
  cli.output.answer(sentences(pod.name || pod.id, now), { id: pod.id, ...now });
}

export function addPodAutoStop(pods: Command, cli: () => Cli): void {
  pods
    .command('auto-stop')
    .description('show or change when a Pod stops automatically')
    .argument('<pod>', 'id or name of the Pod')
    .option('--idle <minutes>', 'stop it once it is idle for this many minutes; never turns this off')
    .option('--cost <dollars>', 'stop it once it has cost this much since its start; never turns this off')
    .option(...ACCOUNT)
    .action((pod: string, options: AutoStopOptions) => autoStop(cli(), pod, options));
}
