/**
 * The key that an account will use: what a person typed, or a key that a pairing code is exchanged for; and the probe
 * of an account with it.
 */
import { hostname } from 'node:os';
import { accountNameSchema, type AccountDraft } from '#contract/app/accountDraft.ts';
import type { AccountProbe } from '#contract/bridge/account.ts';
import { isPairingCode } from '#contract/app/pairingLink.ts';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { requireValue } from '#contract/core/requireValue.ts';
import type { Logger } from 'pino';
import { readDraft, type Reading } from '../../accounts/formParser.ts';
import { probe } from '../../accounts/probe.ts';
import type { ComputeApi } from '../../compute/computeApi.ts';
import type { Clock } from '../../platform/clock.ts';
import { createAccountClient } from './accountClient.ts';
import { questionsOf } from './capabilityProbe.ts';

export interface ProbeTools {
  clock: Clock;
  logger: Logger;
  stopping: AbortSignal;
}

/** Runs `work` with a client of its own, whose connections close afterwards or when the app stops. */
async function withClient<T>(
  account: Reading,
  key: string,
  { logger, stopping }: ProbeTools,
  work: (compute: ComputeApi) => Promise<T>,
): Promise<T> {
  const client = createAccountClient({
    account,
    hasLocal: account.kind === 'engine',
    tunnel: null,
    observer: { answered: () => undefined, failed: () => undefined },
    logger,
    key: () => Promise.resolve(key),
  });
  const breakOff = (): void => void client.stop();
  stopping.addEventListener('abort', breakOff);
  try {
    return await work(client.compute);
  } finally {
    stopping.removeEventListener('abort', breakOff);
    await client.stop();
  }
}

/** Probes an account over separate connections, which close with the probe. Rejects if the probe itself fails. */
export const probeAccount = (account: Reading, key: string, tools: ProbeTools): Promise<AccountProbe> =>
  withClient(account, key, tools, (compute) => probe(questionsOf(compute, tools.clock.now()), tools.clock));

/** The name of the machine of an engine, as the engine tells it; the name of `account` where it does not. */
export async function machineName(account: Reading, key: string, tools: ProbeTools): Promise<string> {
  try {
    const facts = await withClient(account, key, tools, async ({ machine }) => machine?.get());
    return accountNameSchema.safeParse(facts?.hostname).data ?? account.name;
  } catch (err) {
    // A key of a narrow scope may not read it.
    tools.logger.info({ err, account: account.name }, 'an engine does not tell the name of its machine');
    return account.name;
  }
}

export interface UsableKey {
  key: string;
  /** The id of the key at its engine, where a pairing created it. */
  pairedId: string | null;
}

/** Deletes a key that a pairing created, and that nobody uses any more, at its engine. Never rejects. */
export async function deletePairedKey(
  account: Reading,
  { key, pairedId }: UsableKey,
  tools: ProbeTools,
): Promise<void> {
  if (pairedId === null) return;
  try {
    await withClient(account, key, tools, async ({ local }) => local?.apiKeys.delete(pairedId));
  } catch (err) {
    tools.logger.warn({ err, account: account.name }, 'the key of a pairing could not be deleted at its engine');
  }
}

/**
 * The key to use for what a person typed: an API key as it is; a pairing code is exchanged for a new key, and is used
 * up by that. Rejects with UNAUTHORIZED for a code that does not work.
 */
async function usableKey(account: Reading, typed: string, tools: ProbeTools): Promise<UsableKey> {
  if (!isPairingCode(typed)) return { key: typed, pairedId: null };
  checkMayPair(account);
  const { key, id: pairedId } = await withClient(account, typed, tools, ({ local }) =>
    requireValue(local, 'the local API of an engine').apiKeys.pair({ code: typed, name: pairedKeyName() }),
  );
  return { key, pairedId };
}

/** As `work` settles. A key that pairing created is deleted again where `work` fails. */
export async function withUsableKey<T>(
  account: Reading,
  typed: string,
  tools: ProbeTools,
  work: (usable: UsableKey) => Promise<T>,
): Promise<T> {
  const usable = await usableKey(account, typed, tools);
  try {
    return await work(usable);
  } catch (thrown) {
    await deletePairedKey(account, usable, tools);
    throw thrown;
  }
}

/** The name of the key of this computer at an engine that it was paired with. */
const pairedKeyName = (): string => `Hangar on ${hostname()}`.slice(0, limits.accounts.nameLength);

/** Rejects with BAD_REQUEST for a pairing code at a service that is no engine of Hangar. */
function checkMayPair({ kind }: Pick<Reading, 'kind'>): void {
  if (kind === 'engine') return;
  throw new AppError('BAD_REQUEST', 'A pairing code is for an engine of Hangar. Enter an API key of this service.');
}

/** The error of a test with a pairing code, which would use the code up. */
const notTestable = (): AppError =>
  new AppError('BAD_REQUEST', 'A pairing code works once, so it is not tested: add the engine with it.');

/**
 * Probes an account that a person typed, and saves nothing. Rejects with BAD_REQUEST for an address that is invalid.
 */
export async function probeDraft(draft: AccountDraft, tools: ProbeTools): Promise<AccountProbe> {
  const reading = readDraft(draft);
  if (isPairingCode(draft.key)) throw notTestable();
  return probeAccount(reading, draft.key, tools);
}
