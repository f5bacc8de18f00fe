/** `hangar accounts`: the accounts to which jobs can be sent. */
import { Option, type Command } from 'commander';
import type { Account } from '#contract/app/account.ts';
import { accountPresetIds } from '#contract/app/accountDraft.ts';
import type { TypedAddresses } from '#contract/app/accountDraft.ts';
import type { Cli } from '../cli.ts';
import { CommandFailure, exitCodes, usage } from '../failure.ts';
import { confirm, readSecret } from '../output/prompts.ts';
import type { Column } from '../output/table.ts';
import { ago } from '../output/units.ts';
import { findAccount } from '../targets.ts';
import { addGroup, YES } from './shared.ts';

type Kind = (typeof accountPresetIds)[number];

interface AddOptions {
  kind: Kind;
  address?: string;
  management?: string;
  graphql?: string;
}

const stateText = ({ state }: Account): string => (state === 'unknown' ? 'not asked yet' : state);

const columnsFor = (cli: Cli): Column<Account>[] => [
  { title: 'NAME', value: ({ name }) => name, whole: true },
  { title: 'KIND', value: ({ kind }) => kind, whole: true, drop: 2 },
  {
    title: 'STATE',
    value: stateText,
    whole: true,
    style: (cell, { state }) =>
      state === 'ok' ? cli.output.style('green', cell) : state === 'unknown' ? cell : cli.output.style('red', cell),
  },
  { title: 'ADDRESS', value: ({ address }) => address ?? '', drop: 3 },
  { title: 'KEY', value: ({ key }) => (key === null ? '' : `…${key.last4} in ${key.keptIn}`), drop: 4 },
  { title: 'USED', value: ({ lastUsedAt }) => (lastUsedAt === null ? '' : ago(lastUsedAt)), whole: true, drop: 5 },
  { title: 'WHY', value: ({ reason }) => reason ?? '', drop: 1 },
];

async function list(cli: Cli): Promise<void> {
  const client = await cli.client();
  cli.output.rows(columnsFor(cli), await client.accounts.list(), '');
}

async function test(cli: Cli, name: string): Promise<void> {
  const client = await cli.client();
  const { id } = await findAccount(client, name);
  const account = await client.accounts.test({ accountId: id });
  cli.output.fields(
    [
      { name: 'Account', value: account.name },
      { name: 'State', value: stateText(account) },
      { name: 'Can', value: account.capabilities.join(', ') },
      { name: 'Cannot', value: account.lacks.map(({ capability, reason }) => `${capability}: ${reason}`).join('\n') },
    ],
    account,
  );
  if (account.state === 'ok') return;
  throw new CommandFailure(exitCodes.account, account.reason ?? `${account.name} is ${stateText(account)}.`);
}

async function add(cli: Cli, name: string, { kind, address, management, graphql }: AddOptions): Promise<void> {
  const client = await cli.client();
  const preset = (await client.accounts.presets()).find(({ id }) => id === kind);
  if (preset === undefined) throw usage(`This Hangar does not know the kind of account "${kind}".`);
  const addresses: TypedAddresses = {
    jobs: address ?? preset.addresses.jobs,
    management: management ?? preset.addresses.management,
    graphql: graphql ?? preset.addresses.graphql,
  };
  if (addresses.jobs === null) throw usage(`An account of the kind "${kind}" needs --address.`);
  const key = await readSecret(`Key of ${name}: `);
  const account = await client.accounts.add({ draft: { preset: kind, name, addresses, key } });
  const where = account.key?.keptIn === 'memory' ? ' Its key is stored only until Hangar ends.' : '';
  cli.output.answer(`The account "${account.name}" was added.${where}`, account);
}

async function remove(cli: Cli, name: string, { yes = false }: { yes?: boolean }): Promise<void> {
  const client = await cli.client();
  const account = await findAccount(client, name);
  const { jobs, terminals } = await client.accounts.open({ accountId: account.id });
  const open = jobs + terminals === 0 ? '' : ` ${jobs} jobs and ${terminals} terminals of it are open here.`;
  await confirm(
    `This removes the account "${account.name}" and its key. Its jobs stay in the list.${open} Remove it?`,
    yes,
  );
  await client.accounts.remove({ accountId: account.id });
  cli.output.answer(`The account "${account.name}" was removed.`, { id: account.id, removed: true });
}

const NAME = ['<account>', 'id or name of the account'] as const;

export function addAccounts(program: Command, cli: () => Cli): void {
  const accounts = addGroup(program, 'accounts', 'the places that jobs can be sent to');
  accounts
    .command('list', { isDefault: true })
    .description('all accounts; no key is printed')
    .action(() => list(cli()));
  accounts
    .command('test')
    .description('ask an account what it can do now')
    .argument(...NAME)
    .action((name: string) => test(cli(), name));
  accounts
    .command('add')
    .description('add an account; its key is typed at a prompt, or piped in')
    .argument('<name>', 'what to call it')
    .addOption(new Option('-k, --kind <kind>', 'what it is').choices(accountPresetIds).makeOptionMandatory())
    .option('--address <url>', 'its address; for a service: the address of its job API')
    .option('--management <url>', 'the address of its REST API')
    .option('--graphql <url>', 'the address of its GraphQL API')
    .addHelpText(
      'after',
      `
Examples:
  $ hangar accounts add box --kind engine --address http://192.168.1.20:47800
  $ pass show cloud | hangar accounts add cloud --kind runpod`,
    )
    .action((name: string, options: AddOptions) => add(cli(), name, options));
  accounts
    .command('remove')
    .description('remove an account with its key')
    .argument(...NAME)
    .option(...YES)
    .action((name: string, options: { yes?: boolean }) => remove(cli(), name, options));
}
