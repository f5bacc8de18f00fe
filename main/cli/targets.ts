/** Finds accounts, endpoints, Pods and jobs by the id or name that a person types. */
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import type { EndpointSummary } from '#contract/bridge/index.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import type { CommandClient } from '#contract/command/index.ts';
import { answerCode, notFound, usage } from './failure.ts';

interface Named {
  id: string;
  name: string;
}

/** Most names in a message about the existing items. */
const MOST_NAMES = 10;

function namesOf(all: readonly Named[]): string {
  if (all.length === 0) return 'There is none.';
  const names = all.slice(0, MOST_NAMES).map(({ name, id }) => name || id);
  return `There ${all.length === 1 ? 'is' : 'are'} ${names.join(', ')}${all.length > MOST_NAMES ? ', …' : ''}.`;
}

/**
 * The item with this id, otherwise the item with this name. Throws CommandFailure `notFound` if there is none, and
 * `usage` if several have the name. `noun`: its type, such as `endpoint on This computer`.
 */
export function pick<Item>(all: readonly Item[], wanted: string, noun: string, named: (item: Item) => Named): Item {
  const same = (text: string): boolean => text.toLowerCase() === wanted.toLowerCase();
  const byId = all.find((item) => named(item).id === wanted);
  if (byId !== undefined) return byId;
  const exact = all.filter((item) => named(item).name === wanted);
  const matches = exact.length > 0 ? exact : all.filter((item) => same(named(item).name));
  const [first, ...others] = matches;
  if (first === undefined) throw notFound(`There is no ${noun} named "${wanted}". ${namesOf(all.map(named))}`);
  if (others.length === 0) return first;
  const ids = matches.map((item) => named(item).id).join(', ');
  throw usage(`There are ${matches.length} with the name "${wanted}": name one by its id (${ids}).`);
}

/** The account with this id or name; the default is this computer. */
export async function findAccount(client: CommandClient, wanted: string = THIS_MACHINE): Promise<Account> {
  return pick(await client.accounts.list(), wanted, 'account', (account) => account);
}

export async function findEndpoint(client: CommandClient, account: Account, wanted: string): Promise<EndpointSummary> {
  const endpoints = await client.endpoints.list({ accountId: account.id });
  return pick(endpoints, wanted, `endpoint on ${account.name}`, (endpoint) => endpoint);
}

export async function findPod(client: CommandClient, account: Account, wanted: string): Promise<PodRow> {
  const { rows } = await client.pods.now({ accountId: account.id });
  return pick(rows, wanted, `Pod on ${account.name}`, ({ pod }) => pod);
}

/**
 * The newest ledger entry with this id: its own id, or the id of its job. Throws CommandFailure `notFound` if the job
 * was not sent from this computer.
 */
export async function findJob(client: CommandClient, wanted: string): Promise<LedgerEntry> {
  try {
    return (await client.jobs.get({ entryId: wanted })).entry;
  } catch (thrown) {
    if (answerCode(thrown) !== 'NOT_FOUND') throw thrown;
  }
  const match = await client.jobs.find({ jobId: wanted });
  if (match !== null) return match;
  throw notFound(`This computer has no record of the job "${wanted}".`);
}
