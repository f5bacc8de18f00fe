/** `hangar deploy`: creates or updates the endpoint of a folder. A repeated deploy of a folder updates its endpoint. */
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { isDeepStrictEqual, parseEnv } from 'node:util';
import { InvalidArgumentError, type Command } from 'commander';
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import type { FolderCheck } from '#contract/app/endpointReadModels.ts';
import type { EndpointUpdate, TemplateUpdate } from '#contract/api/resources.ts';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import type { EndpointSummary } from '#contract/bridge/index.ts';
import type { CommandClient } from '#contract/command/index.ts';
import { keysOf } from '#contract/core/keysOf.ts';
import type { Cli } from '../cli.ts';
import { CommandFailure, exitCodes, usage } from '../failure.ts';
import { confirm, readInput } from '../output/prompts.ts';
import { dollars } from '../output/units.ts';
import { findAccount } from '../targets.ts';
import { watchEndpoint } from './deployWatch.ts';
import { ACCOUNT, readGpuOffers, YES, type AccountOption } from './shared.ts';

interface DeployOptions extends AccountOption {
  name?: string;
  image?: string;
  workersMin?: number;
  workersMax?: number;
  gpu?: string[];
  env?: string;
  watch?: boolean;
  yes?: boolean;
}

/** Values from the folder and the options. Missing values keep their current setting. */
interface Deployment {
  template: TemplateUpdate & { imageName: string };
  endpoint: EndpointUpdate;
  /** Variables and hardware from the folder's hub files, for a new endpoint. */
  defaults: { template: TemplateUpdate; endpoint: EndpointUpdate };
}

function countOf(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

async function variablesIn(file: string): Promise<Record<string, string>> {
  let text: string;
  try {
    text = file === '-' ? await readInput() : await readFile(file, 'utf8');
  } catch (thrown) {
    throw usage(`The file of variables cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}.`);
  }
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(parseEnv(text))) if (value !== undefined) variables[name] = value;
  return variables;
}

/** The app's check of the folder. Throws CommandFailure if it is no folder. */
async function readFolder(client: CommandClient, path: string): Promise<FolderCheck> {
  const check = await client.endpoints.checkFolder({ path });
  if (check.imageName === null) throw usage(`${path}: ${check.problem ?? 'This folder cannot be used.'}`);
  return check;
}

/** Throws CommandFailure `usage` for a GPU type that the account does not have. */
async function requireGpuTypes(client: CommandClient, account: Account, types: readonly string[]): Promise<void> {
  if (types.length === 0) return;
  const { gpuTypes } = await client.endpoints.choices({ accountId: account.id });
  if (gpuTypes === null) return;
  const names = [...new Set([...gpuTypes.map(({ id }) => id), CPU_TYPE])];
  const unknown = types.find((type) => !names.includes(type));
  if (unknown !== undefined) throw usage(`${account.name} has no GPU type "${unknown}". It has ${names.join(', ')}.`);
}

async function deploymentOf(
  client: CommandClient,
  account: Account,
  path: string,
  command: readonly string[],
  { image, workersMin, workersMax, gpu, env, name }: DeployOptions,
): Promise<Deployment> {
  const isHere = account.id === THIS_MACHINE;
  if (!isHere && image === undefined) {
    throw usage(`${account.name} runs images only. Build an image of this folder, and name it with --image.`);
  }
  const check = await readFolder(client, path);
  if (image === undefined && command.length === 0 && check.problem !== null) {
    throw new CommandFailure(exitCodes.failed, `${path}: ${check.problem} Write a command after "--".`);
  }
  if (gpu !== undefined) await requireGpuTypes(client, account, gpu);
  const { template = {}, endpoint = {} } = check.reading ?? {};
  return {
    template: {
      imageName: image ?? check.imageName ?? '',
      ...(check.readme !== null && { readme: check.readme }),
      ...(command.length > 0 && { dockerStartCmd: [...command] }),
      ...(env !== undefined && { env: await variablesIn(env) }),
    },
    endpoint: {
      ...(name !== undefined && { name }),
      ...(workersMin !== undefined && { workersMin }),
      ...(workersMax !== undefined && { workersMax }),
      ...(gpu !== undefined && { gpuTypeIds: gpu }),
    },
    defaults: {
      template: {
        ...(template.env !== undefined && { env: template.env }),
        ...(template.containerDiskInGb !== undefined && { containerDiskInGb: template.containerDiskInGb }),
      },
      endpoint: {
        ...(endpoint.computeType === 'CPU'
          ? { gpuTypeIds: [CPU_TYPE] }
          : endpoint.gpuTypeIds && { gpuTypeIds: endpoint.gpuTypeIds }),
        ...(endpoint.gpuCount !== undefined && { gpuCount: endpoint.gpuCount }),
      },
    },
  };
}

const idsOf = (endpoints: readonly EndpointSummary[]): string =>
  endpoints.map(({ id, name }) => `${name} (${id})`).join(', ');

/**
 * The endpoint that was deployed from this folder before, or null. The endpoint of an image is identified by its name.
 * Throws CommandFailure `usage` if several match, or if another endpoint has the name.
 */
function findDeployed(
  endpoints: readonly EndpointSummary[],
  { template: { imageName } }: Deployment,
  { name, image }: Pick<DeployOptions, 'name' | 'image'>,
  usualName: string,
): EndpointSummary | null {
  const named = endpoints.filter((endpoint) => endpoint.name === (name ?? usualName));
  const candidates = image === undefined ? endpoints.filter((endpoint) => endpoint.imageName === imageName) : named;
  const [first, ...others] = candidates;
  if (first === undefined) {
    const [taken] = named;
    if (taken === undefined) return null;
    throw usage(
      `Another endpoint, of ${taken.imageName ?? 'another image'}, has the name "${taken.name}". Choose another name with --name.`,
    );
  }
  if (others.length === 0) return first;
  const [exact, ...same] = candidates.filter((endpoint) => endpoint.name === name);
  if (exact !== undefined && same.length === 0) return exact;
  throw usage(`Several endpoints run this folder: ${idsOf(candidates)}. Choose one with --name.`);
}

/** On an account that costs money, shows the price before it is spent. */
async function confirmPrice(
  client: CommandClient,
  account: Account,
  { endpoint, defaults }: Deployment,
  yes: boolean,
): Promise<void> {
  if (account.kind !== 'cloud' || yes) return;
  const types = endpoint.gpuTypeIds ?? defaults.endpoint.gpuTypeIds ?? [];
  const { offers, missing } = await readGpuOffers(client, account.id);
  const prices = offers
    .filter(({ id, securePrice }) => types.includes(id) && securePrice > 0)
    .map(({ displayName, id, securePrice }) => `${displayName || id} ${dollars(securePrice)} an hour as a Pod`);
  const price = prices.length > 0 ? ` (${prices.join(', ')})` : `; ${missing}`;
  const least = endpoint.workersMin ?? 0;
  const always = least > 0 ? ` At least ${least} always run${least === 1 ? 's' : ''}.` : '';
  await confirm(`Each worker on ${account.name} costs money while it runs${price}.${always} Deploy?`, yes);
}

/** The fields of `wanted` that differ from the current values. */
function changesOf<Fields extends object>(wanted: Fields, now: object): Partial<Fields> {
  const changes: Partial<Fields> = {};
  for (const name of keysOf(wanted)) {
    if (!isDeepStrictEqual(wanted[name], Reflect.get(now, name))) changes[name] = wanted[name];
  }
  return changes;
}

interface Deployed {
  endpointId: string;
  name: string;
  outcome: 'made' | 'updated' | 'unchanged';
}

async function create(
  client: CommandClient,
  account: Account,
  { template, endpoint, defaults }: Deployment,
  usualName: string,
): Promise<Deployed> {
  const name = endpoint.name ?? usualName;
  const { endpointId } = await client.endpoints.create({
    accountId: account.id,
    template: { ...defaults.template, ...template, name, isServerless: true },
    endpoint: { ...defaults.endpoint, ...endpoint, name },
  });
  return { endpointId, name, outcome: 'made' };
}

async function update(
  cli: Cli,
  client: CommandClient,
  account: Account,
  { id, name: nameBefore }: EndpointSummary,
  { template, endpoint }: Deployment,
): Promise<Deployed> {
  const ref = { accountId: account.id, endpointId: id };
  const now = await client.endpoints.get(ref);
  const change = {
    template: now.template === null ? template : changesOf(template, now.template),
    endpoint: changesOf(endpoint, now.endpoint),
  };
  const name = endpoint.name ?? nameBefore;
  if (Object.keys(change.template).length + Object.keys(change.endpoint).length === 0) {
    return { endpointId: id, name, outcome: 'unchanged' };
  }
  if (Object.keys(change.template).length > 0 && now.templateSharedWith.length > 0) {
    cli.output.note(
      `The same template is used by ${now.templateSharedWith.join(', ')}: the change applies to them as well.`,
    );
  }
  await client.endpoints.update({ ...ref, ...change });
  return { endpointId: id, name, outcome: 'updated' };
}

const sentences: Record<Deployed['outcome'], string> = {
  made: 'was made',
  updated: 'was updated',
  unchanged: 'is unchanged',
};

async function deploy(cli: Cli, folder: string, command: string[], options: DeployOptions): Promise<void> {
  const path = resolve(folder);
  const usualName = basename(path);
  const client = await cli.client();
  const account = await findAccount(client, options.account);
  if (options.watch && options.image !== undefined) throw usage('--watch works with a folder only, not with an image.');
  const deployment = await deploymentOf(client, account, path, command, options);
  const endpoints = await client.endpoints.list({ accountId: account.id });
  const before = findDeployed(endpoints, deployment, options, usualName);
  await confirmPrice(client, account, deployment, options.yes ?? false);
  const deployed =
    before === null
      ? await create(client, account, deployment, usualName)
      : await update(cli, client, account, before, deployment);
  const { endpointId, name, outcome } = deployed;
  const url = account.address === null ? null : `${account.address}/v2/${endpointId}/run`;
  const sentence = `The endpoint "${name}" (${endpointId}) on ${account.name} ${sentences[outcome]}.`;
  cli.output.answer(url === null ? sentence : `${sentence}\nJobs go to ${url}`, {
    ...deployed,
    accountId: account.id,
    url,
  });
  const ref = { accountId: account.id, endpointId };
  if (options.watch) return watchEndpoint(cli, client, { ...ref, path });
  const { rows } = await client.endpoints.now({ accountId: account.id });
  const readiness = rows.find(({ id }) => id === endpointId)?.readiness;
  if (readiness?.available === false) {
    throw new CommandFailure(exitCodes.failed, `It cannot run: ${readiness.reason ?? 'the engine does not say why.'}`);
  }
}

const listed = (text: string, before: string[] = []): string[] => [...before, text];

export function addDeploy(program: Command, cli: () => Cli): void {
  program
    .command('deploy')
    .description('create the endpoint of a folder, or update it if it exists')
    .argument('<folder>', 'folder with the handler')
    .argument('[command...]', 'after --: the command to run instead of the handler')
    .option('--name <name>', 'name of the endpoint (default: that of the folder)')
    .option('--workers-min <number>', 'workers that always run', countOf)
    .option('--workers-max <number>', 'workers that may run', countOf)
    .option('--gpu <type>', 'GPU type; repeat it for more types, in order of preference; CPU for no GPU', listed)
    .option('--env <file>', 'file of variables, NAME=value on each line; - reads standard input')
    .option('--image <image>', 'image of this folder, for a remote account')
    .option('-w, --watch', 'keep watching: show changes, problems and the log')
    .option(...ACCOUNT)
    .option(...YES)
    .addHelpText(
      'after',
      `
While it is watched at least one worker runs, so that a mistake shows at once. Ctrl+C ends the watching.

Examples:
  $ hangar deploy ./greet --watch
  $ hangar deploy ./greet --name hello --workers-max 3 --env .env
  $ hangar deploy ./server -- ./server --verbose
  $ hangar deploy ./sdxl --image me/sdxl:2 --gpu "NVIDIA GeForce RTX 4090" --account cloud`,
    )
    .action((folder: string, command: string[], options: DeployOptions) => deploy(cli(), folder, command, options));
}
