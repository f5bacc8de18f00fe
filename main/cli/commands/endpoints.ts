/** `hangar endpoints`: the endpoints to which jobs can be sent. */
import type { Command } from 'commander';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import type { Cli } from '../cli.ts';
import { confirm } from '../output/prompts.ts';
import type { Column } from '../output/table.ts';
import { findAccount, findEndpoint } from '../targets.ts';
import { ACCOUNT, addGroup, YES, type AccountOption } from './shared.ts';

const workersText = ({ workers }: NonNullable<EndpointRow['health']>): string => {
  const { running, idle, initializing, throttled, unhealthy } = workers;
  const parts = Object.entries({ running, idle, starting: initializing, throttled, unhealthy });
  return parts
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
};

/** Why the endpoint does not run properly; '' if it does. */
function problemOf({ readiness, healthProblem }: EndpointRow): string {
  if (healthProblem !== null) return healthProblem;
  if (readiness === null) return '';
  if (!readiness.available) return readiness.reason ?? 'It cannot run.';
  return readiness.trouble?.reason ?? readiness.notices[0] ?? '';
}

const columnsFor = (cli: Cli): Column<EndpointRow>[] => [
  { title: 'ID', value: ({ id }) => id, whole: true },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'QUEUE', value: ({ health }) => String(health?.jobs.inQueue ?? ''), align: 'right', whole: true },
  {
    title: 'RUNNING',
    value: ({ health }) => String(health?.jobs.inProgress ?? ''),
    align: 'right',
    whole: true,
    drop: 2,
  },
  { title: 'WORKERS', value: ({ health }) => (health === null ? '' : workersText(health)), drop: 1 },
  { title: 'MIN-MAX', value: ({ workersMin, workersMax }) => `${workersMin}-${workersMax}`, whole: true, drop: 3 },
  { title: 'IMAGE', value: ({ imageName }) => imageName ?? '', drop: 5 },
  { title: 'PROBLEM', value: problemOf, drop: 4, style: (cell) => cli.output.style('yellow', cell) },
];

async function list(cli: Cli, { account: name }: AccountOption): Promise<void> {
  const client = await cli.client();
  const account = await findAccount(client, name);
  const { rows, pause } = await client.endpoints.now({ accountId: account.id });
  if (cli.output.isForPerson && pause?.message) cli.output.note(pause.message);
  cli.output.rows(columnsFor(cli), rows, `${account.name} has no endpoint. "hangar deploy FOLDER" makes one.`);
}

async function show(cli: Cli, wanted: string, { account: name }: AccountOption): Promise<void> {
  const client = await cli.client();
  const account = await findAccount(client, name);
  const summary = await findEndpoint(client, account, wanted);
  const ref = { accountId: account.id, endpointId: summary.id };
  const [detail, { rows }] = await Promise.all([
    client.endpoints.get(ref),
    client.endpoints.now({ accountId: account.id }),
  ]);
  const { endpoint, template } = detail;
  const row = rows.find(({ id }) => id === summary.id);
  const python = row?.readiness?.handler?.python;
  cli.output.fields(
    [
      { name: 'Endpoint', value: `${endpoint.name} (${endpoint.id})` },
      { name: 'Account', value: account.name },
      { name: 'About', value: summary.description },
      { name: 'Kind', value: endpoint.type === 'LB' ? 'load balancing' : 'queue-based' },
      { name: 'Image', value: template?.imageName ?? null },
      { name: 'Handler', value: row?.readiness?.handler?.file ?? null },
      { name: 'Python', value: python ? `${python.version}, ${python.from}` : null },
      { name: 'Workers', value: `${endpoint.workersMin} to ${endpoint.workersMax}, idle ${endpoint.idleTimeout} s` },
      { name: 'Now', value: row?.health ? workersText(row.health) || 'no worker' : null },
      {
        name: 'Jobs',
        value: row?.health ? `${row.health.jobs.inQueue} waiting, ${row.health.jobs.inProgress} running` : null,
      },
      { name: 'GPUs', value: endpoint.gpuTypeIds.join(', ') },
      { name: 'Variables', value: template === null ? null : Object.keys(template.env).join(', ') },
      { name: 'Problem', value: row === undefined ? null : problemOf(row) },
      { name: 'Sample', value: summary.sampleInput },
    ],
    {
      ...detail,
      template: template && withoutValues(template),
      health: row?.health ?? null,
      readiness: row?.readiness ?? null,
    },
  );
}

/** Prints only the names of variables, because their values may be secrets. */
const withoutValues = <T extends { env: Record<string, string> }>(template: T) => ({
  ...template,
  env: Object.keys(template.env),
});

async function remove(
  cli: Cli,
  wanted: string,
  { account: name, yes = false, keepTemplate = false }: AccountOption & { yes?: boolean; keepTemplate?: boolean },
): Promise<void> {
  const client = await cli.client();
  const account = await findAccount(client, name);
  const { id, name: endpointName } = await findEndpoint(client, account, wanted);
  await confirm(`The endpoint "${endpointName}" on ${account.name} and the jobs that wait go away. Delete it?`, yes);
  const { templateKept } = await client.endpoints.remove({
    accountId: account.id,
    endpointId: id,
    withTemplate: !keepTemplate,
  });
  const rest = templateKept === null ? '' : ` Its template stays: ${templateKept}`;
  cli.output.answer(`The endpoint "${endpointName}" was deleted.${rest}`, { id, deleted: true, templateKept });
}

async function purge(cli: Cli, wanted: string, { account: name, yes = false }: AccountOption & { yes?: boolean }) {
  const client = await cli.client();
  const account = await findAccount(client, name);
  const { id, name: endpointName } = await findEndpoint(client, account, wanted);
  await confirm(
    `The jobs that wait at "${endpointName}" on ${account.name} are cancelled, whoever sent them. Go on?`,
    yes,
  );
  const { removed } = await client.endpoints.purge({ accountId: account.id, endpointId: id });
  cli.output.answer(`${removed} waiting job${removed === 1 ? ' was' : 's were'} cancelled.`, { id, removed });
}

const ENDPOINT = ['<endpoint>', 'id or name of the endpoint'] as const;

export function addEndpoints(program: Command, cli: () => Cli): void {
  const endpoints = addGroup(program, 'endpoints', 'what jobs can be sent to');
  endpoints
    .command('list', { isDefault: true })
    .description('all endpoints of an account')
    .option(...ACCOUNT)
    .action((options: AccountOption) => list(cli(), options));
  endpoints
    .command('show')
    .description('one endpoint with its template; values of variables are not printed')
    .argument(...ENDPOINT)
    .option(...ACCOUNT)
    .action((endpoint: string, options: AccountOption) => show(cli(), endpoint, options));
  endpoints
    .command('delete')
    .description('delete an endpoint with its template')
    .argument(...ENDPOINT)
    .option(...ACCOUNT)
    .option('--keep-template', 'leave its template')
    .option(...YES)
    .action((endpoint: string, options: AccountOption) => remove(cli(), endpoint, options));
  endpoints
    .command('purge')
    .description('cancel the waiting jobs')
    .argument(...ENDPOINT)
    .option(...ACCOUNT)
    .option(...YES)
    .action((endpoint: string, options: AccountOption) => purge(cli(), endpoint, options));
}
