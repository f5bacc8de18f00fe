/** `hangar keys`: the API keys of an engine. */
import { Option, type Command } from 'commander';
import { apiKeyScopes, type ApiKeyRecord, type ApiKeyScope } from '#contract/local/engine.ts';
import type { CommandClient } from '#contract/command/index.ts';
import type { Cli } from '../cli.ts';
import { confirm } from '../output/prompts.ts';
import type { Column } from '../output/table.ts';
import { agoText } from '../output/units.ts';
import { findAccount, findEndpoint, pick } from '../targets.ts';
import { ACCOUNT, addGroup, YES, type AccountOption } from './shared.ts';

interface CreateOptions extends AccountOption {
  scope: ApiKeyScope;
  endpoint?: string[];
}

const columns: Column<ApiKeyRecord>[] = [
  { title: 'ID', value: ({ id }) => id, whole: true },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'ENDS IN', value: ({ last4 }) => last4, whole: true },
  { title: 'SCOPE', value: ({ scope }) => scope, whole: true },
  { title: 'STATE', value: ({ disabled }) => (disabled ? 'disabled' : 'good'), whole: true },
  { title: 'MADE', value: ({ createdAt }) => agoText(createdAt), whole: true, drop: 2 },
  {
    title: 'USED',
    value: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : agoText(lastUsedAt)),
    whole: true,
    drop: 1,
  },
];

async function list(cli: Cli, { account: name }: AccountOption): Promise<void> {
  const client = await cli.client();
  const account = await findAccount(client, name);
  const keys = await client.apiKeys.list({ accountId: account.id });
  cli.output.rows(columns, keys, `${account.name} has no API key.`);
}

async function create(
  cli: Cli,
  keyName: string,
  { account: name, scope, endpoint = [] }: CreateOptions,
): Promise<void> {
  const client = await cli.client();
  const account = await findAccount(client, name);
  const endpointIds: string[] = [];
  for (const wanted of endpoint) endpointIds.push((await findEndpoint(client, account, wanted)).id);
  const { record, key } = await client.command.createApiKey({
    accountId: account.id,
    name: keyName,
    scope: endpointIds.length > 0 ? 'endpoints' : scope,
    ...(endpointIds.length > 0 && { endpointIds }),
  });
  if (!cli.output.isForPerson) return cli.output.json({ ...record, key });
  cli.output.note(`The key "${record.name}" of ${account.name}. It is shown only once:`);
  cli.output.line(key);
}

/** Finds a key by its id, its name, or its last four characters. */
async function findKey(client: CommandClient, accountId: string, wanted: string): Promise<ApiKeyRecord> {
  const keys = await client.apiKeys.list({ accountId });
  const byEnd = keys.filter(({ last4 }) => last4 === wanted);
  const [only, ...others] = byEnd;
  return only !== undefined && others.length === 0 ? only : pick(keys, wanted, 'API key', (key) => key);
}

async function setDisabled(
  cli: Cli,
  wanted: string,
  disabled: boolean,
  { account: name }: AccountOption,
): Promise<void> {
  const client = await cli.client();
  const account = await findAccount(client, name);
  const { id } = await findKey(client, account.id, wanted);
  const record = await client.apiKeys.update({ accountId: account.id, id, change: { disabled } });
  cli.output.answer(`The key "${record.name}" is ${disabled ? 'disabled' : 'enabled again'}.`, record);
}

async function remove(cli: Cli, wanted: string, { account: name, yes = false }: AccountOption & { yes?: boolean }) {
  const client = await cli.client();
  const account = await findAccount(client, name);
  const { id, name: keyName, last4 } = await findKey(client, account.id, wanted);
  await confirm(
    `Programs that use the key "${keyName}" (…${last4}) of ${account.name} will be refused. Delete it?`,
    yes,
  );
  await client.apiKeys.delete({ accountId: account.id, id });
  cli.output.answer(`The key "${keyName}" was deleted.`, { id, deleted: true });
}

async function pair(cli: Cli, { account: name }: AccountOption): Promise<void> {
  const client = await cli.client();
  const account = await findAccount(client, name);
  const { link, ...facts } = await client.command.createPairingLink({ accountId: account.id });
  if (!cli.output.isForPerson) return cli.output.json({ ...facts, link });
  cli.output.note('In Hangar on the other computer: Accounts, "Add an account", paste this link into Address.');
  cli.output.note(`It works once, until ${new Date(facts.expiresAt).toLocaleTimeString()}.`);
  if (!facts.isOpen) {
    const { port } = new URL(link);
    cli.output.note(
      `This engine listens on this computer only. On the other computer, run "ssh -L ${port}:127.0.0.1:${port} HOST" first, or start Hangar here with --host ADDRESS --allow-lan.`,
    );
  }
  if (facts.addresses.length > 1) cli.output.note(`Other addresses: ${facts.addresses.slice(1).join(', ')}`);
  cli.output.line(link);
}

const KEY = ['<key>', 'id, name, or last four characters of the key'] as const;

export function addKeys(program: Command, cli: () => Cli): void {
  const keys = addGroup(program, 'keys', 'API keys of this computer, or of an engine elsewhere');
  keys
    .command('list', { isDefault: true })
    .description('all keys, without their secret parts')
    .option(...ACCOUNT)
    .action((options: AccountOption) => list(cli(), options));
  keys
    .command('create')
    .description('create a key and print it; it is shown only once')
    .argument('<name>', 'what it is for')
    .addOption(new Option('-s, --scope <scope>', 'what it may do').choices(apiKeyScopes).default('all'))
    .option('-e, --endpoint <endpoints...>', 'only these endpoints; the scope is then "endpoints"')
    .option(...ACCOUNT)
    .addHelpText('after', '\nExample:\n  $ export KEY=$(hangar keys create ci --scope jobs --json | jq -r .key)')
    .action((keyName: string, options: CreateOptions) => create(cli(), keyName, options));
  keys
    .command('pair')
    .description('print a link that adds this engine to Hangar on another computer')
    .option(...ACCOUNT)
    .action((options: AccountOption) => pair(cli(), options));
  keys
    .command('disable')
    .description('disable a key')
    .argument(...KEY)
    .option(...ACCOUNT)
    .action((key: string, options: AccountOption) => setDisabled(cli(), key, true, options));
  keys
    .command('enable')
    .description('enable a disabled key')
    .argument(...KEY)
    .option(...ACCOUNT)
    .action((key: string, options: AccountOption) => setDisabled(cli(), key, false, options));
  keys
    .command('delete')
    .description('delete a key')
    .argument(...KEY)
    .option(...ACCOUNT)
    .option(...YES)
    .action((key: string, options: AccountOption & { yes?: boolean }) => remove(cli(), key, options));
}
