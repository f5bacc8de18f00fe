/** `hangar pods`: list, start, stop, restart and delete Pods, their automatic stop and their limits. */
import type { Command } from 'commander';
import type { Account } from '#contract/app/account.ts';
import type { PodAction, PodRow } from '#contract/bridge/pod.ts';
import type { CommandClient } from '#contract/command/index.ts';
import type { Cli } from '../../cli.ts';
import { confirm } from '../../output/prompts.ts';
import type { Column } from '../../output/table.ts';
import { agoText, dollars } from '../../output/units.ts';
import { findAccount, findPod } from '../../targets.ts';
import { addPodAutoStop } from './autoStop.ts';
import { addPodLimits } from './limits.ts';
import { ACCOUNT, addGroup, readGpuOffers, YES, type AccountOption, type GpuTypesClient } from '../shared.ts';

interface YesOption extends AccountOption {
  yes?: boolean;
}

type Pod = PodRow['pod'];

const priceOf = ({ adjustedCostPerHr, costPerHr }: Pod): number => adjustedCostPerHr || costPerHr;

const columnsFor = (cli: Cli): Column<PodRow>[] => [
  { title: 'ID', value: ({ pod }) => pod.id, whole: true },
  { title: 'NAME', value: ({ pod }) => pod.name },
  {
    title: 'STATE',
    value: ({ pod }) => pod.desiredStatus,
    whole: true,
    style: (cell, { pod }) => (pod.desiredStatus === 'RUNNING' ? cli.output.style('green', cell) : cell),
  },
  {
    title: 'GPU',
    value: ({ pod }) => (pod.gpuCount > 0 ? `${pod.gpuCount} × ${pod.gpu?.displayName || 'GPU'}` : 'CPU'),
    drop: 3,
  },
  {
    title: 'PER HOUR',
    value: ({ pod }) => (priceOf(pod) > 0 ? dollars(priceOf(pod)) : ''),
    align: 'right',
    whole: true,
    drop: 2,
  },
  { title: 'IMAGE', value: ({ pod }) => pod.imageName || pod.image, drop: 4 },
  { title: 'MADE', value: ({ pod }) => agoText(pod.createdAt), whole: true, drop: 5 },
  { title: 'WHY', value: ({ facts }) => facts?.problem ?? facts?.preparing ?? '', drop: 1 },
];

async function list(cli: Cli, { account: name }: AccountOption): Promise<void> {
  const client = await cli.client();
  const account = await findAccount(client, name);
  const { rows, containerProblem } = await client.pods.now({ accountId: account.id });
  if (cli.output.isForPerson && containerProblem !== null) cli.output.note(containerProblem);
  // Only the names of variables are printed, because their values may be secrets.
  const document = rows.map(({ pod, ...others }) => ({ ...pod, env: Object.keys(pod.env), ...others }));
  cli.output.rows(columnsFor(cli), rows, `${account.name} has no Pod.`, document);
}

/** What a Pod costs while it runs, in words. For a stopped Pod: by the price of its GPUs. */
async function runningCost(client: GpuTypesClient, accountId: string, pod: Pod): Promise<string> {
  const costs = (price: number): string => `costs about ${dollars(price)} an hour`;
  const current = priceOf(pod);
  if (current > 0) return costs(current);
  if (pod.gpuCount === 0) return 'costs money; the account does not say how much';
  const { offers, missing } = await readGpuOffers(client, accountId);
  const offer = offers.find(({ id, displayName }) => id === pod.gpu?.id || displayName === pod.gpu?.displayName);
  const price = (offer?.securePrice || offer?.communityPrice || 0) * pod.gpuCount;
  return price > 0 ? costs(price) : `costs money; ${missing}`;
}

/** On an account that costs money, shows the price before it is spent. */
async function confirmPrice(client: CommandClient, account: Account, pod: Pod, yes: boolean): Promise<void> {
  if (account.kind !== 'cloud' || yes) return;
  const cost = await runningCost(client, account.id, pod);
  await confirm(`The Pod "${pod.name || pod.id}" on ${account.name} ${cost} while it runs. Start it?`, yes);
}

const past: Record<Exclude<PodAction, 'reset'>, string> = {
  start: 'is being started',
  stop: 'is being stopped',
  restart: 'is being restarted',
};

async function act(
  cli: Cli,
  wanted: string,
  action: keyof typeof past,
  { account: name, yes = false }: YesOption,
): Promise<void> {
  const client = await cli.client();
  const account = await findAccount(client, name);
  const { pod } = await findPod(client, account, wanted);
  if (action === 'start') await confirmPrice(client, account, pod, yes);
  const after = await client.pods.act({ accountId: account.id, podId: pod.id, action });
  cli.output.answer(`The Pod "${after.name || after.id}" ${past[action]}.`, { ...after, env: Object.keys(after.env) });
}

async function remove(cli: Cli, wanted: string, { account: name, yes = false }: YesOption): Promise<void> {
  const client = await cli.client();
  const account = await findAccount(client, name);
  const { pod } = await findPod(client, account, wanted);
  const podName = pod.name || pod.id;
  await confirm(`This deletes the Pod "${podName}" on ${account.name} and everything on its own disk. Delete it?`, yes);
  await client.pods.remove({ accountId: account.id, podId: pod.id });
  cli.output.answer(`The Pod "${podName}" was deleted.`, { id: pod.id, deleted: true });
}

const POD = ['<pod>', 'id or name of the Pod'] as const;

export function addPods(program: Command, cli: () => Cli): void {
  const pods = addGroup(program, 'pods', 'Pods of an account');
  pods
    .command('list', { isDefault: true })
    .description('all Pods; values of variables are not printed')
    .option(...ACCOUNT)
    .action((options: AccountOption) => list(cli(), options));
  pods
    .command('start')
    .description('start a Pod; if it costs money, show the price first')
    .argument(...POD)
    .option(...ACCOUNT)
    .option(...YES)
    .action((pod: string, options: YesOption) => act(cli(), pod, 'start', options));
  for (const action of ['stop', 'restart'] as const) {
    pods
      .command(action)
      .description(`${action} a Pod`)
      .argument(...POD)
      .option(...ACCOUNT)
      .action((pod: string, options: AccountOption) => act(cli(), pod, action, options));
  }
  addPodAutoStop(pods, cli);
  addPodLimits(pods, cli);
  pods
    .command('delete')
    .description('delete a Pod with everything on its own disk')
    .argument(...POD)
    .option(...ACCOUNT)
    .option(...YES)
    .action((pod: string, options: YesOption) => remove(cli(), pod, options));
}
