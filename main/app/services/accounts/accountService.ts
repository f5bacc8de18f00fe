/**
 * Adds, probes and removes accounts. An account that does not work is not saved, and a removed account leaves no key.
 */
import { randomUUID } from 'node:crypto';
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import type { AccountProbe } from '#contract/bridge/account.ts';
import type { AccountDraft, TypedAddresses } from '#contract/app/accountDraft.ts';
import { AppError, type ErrorCode } from '#contract/core/errors.ts';
import type { Logger } from 'pino';
import { noKey } from '../../accounts/health.ts';
import { newHost, readDraft, readMove, type Reading } from '../../accounts/formParser.ts';
import type { AccountRepository } from '../../accounts/repository.ts';
import { describeKey } from '../../accounts/keys.ts';
import type { Clock } from '../../platform/clock.ts';
import { keyName, type Directory } from '../directory.ts';
import {
  deletePairedKey,
  machineName,
  probeAccount,
  probeDraft,
  withUsableKey,
  type ProbeTools,
  type UsableKey,
} from './accountKey.ts';
import type { SecretStore } from '../../secrets/secretStore.ts';

export interface AccountChanges {
  /** Saves nothing. Rejects with BAD_REQUEST for an invalid address. */
  probe(draft: AccountDraft): Promise<AccountProbe>;
  /** Rejects, and saves nothing, if the account does not answer or refuses the key. */
  add(draft: AccountDraft): Promise<Account>;
  rename(accountId: string, name: string): Account;
  test(accountId: string): Promise<Account>;
  /** Rejects, and changes nothing, if the new key does not work. */
  replaceKey(accountId: string, key: string): Promise<Account>;
  /**
   * The id and the ledger entries of the account stay. Rejects, and changes nothing, if its key does not work there.
   * Rejects with BAD_REQUEST if the stored key was not entered for one of the hosts: the person must then enter it
   * again, as `key`.
   */
  changeAddresses(accountId: string, addresses: TypedAddresses, key: string | null): Promise<Account>;
  /** Ends all open work of the account at once: readers, terminals over SSH, file transfers. */
  remove(accountId: string): Promise<void>;
  /** Waits for running operations. */
  stop(): Promise<void>;
}

export interface AccountChangesOptions {
  directory: Pick<Directory, 'forget' | 'renew' | 'get'>;
  repository: AccountRepository;
  secrets: SecretStore;
  clock: Clock;
  logger: Logger;
  /** Ends all other open work of a removed account. */
  leave: (accountId: string) => Promise<unknown>;
  stopping: AbortSignal;
}

/** An account with an unstable connection is not probed at each reconnection. */
const PROBE_GAP_MS = 60_000;

const refusals: Partial<Record<AccountProbe['state'], ErrorCode>> = {
  refused: 'UNAUTHORIZED',
  slowed: 'TOO_MANY_REQUESTS',
};

/** Tracks work until it settles, so that `stop` can wait for it. */
function createTracker() {
  const underWay = new Set<Promise<unknown>>();
  return {
    tracked<T>(work: Promise<T>): Promise<T> {
      const settled = work
        .then(
          () => undefined,
          () => undefined,
        )
        .finally(() => underWay.delete(settled));
      underWay.add(settled);
      return work;
    },
    settled: async (): Promise<void> => void (await Promise.all(underWay)),
  };
}

/** Throws the error of an account that does not work. */
function checkWorks({ state, reason, nextTryAt }: AccountProbe, clock: Clock): void {
  if (state === 'ok') return;
  throw new AppError(refusals[state] ?? 'UNAVAILABLE', reason ?? 'It did not answer.', {
    ...(nextTryAt !== null && { retryAfterMs: Math.max(0, nextTryAt - clock.now()) }),
  });
}

/** The probe of an account that works. Rejects with the error of one that does not. */
async function probeWorking(account: Reading, key: string, tools: ProbeTools): Promise<AccountProbe> {
  const result = await probeAccount(account, key, tools);
  checkWorks(result, tools.clock);
  return result;
}

/** Rejects if no key of the account is stored. */
async function storedKey(secrets: Pick<SecretStore, 'get'>, { id, name }: Account): Promise<string> {
  const key = await secrets.get(keyName(id));
  if (key !== null) return key;
  throw noKey(name);
}

/**
 * Calls `isBack` for each account that works again, because its capabilities may have changed. Returns a function that
 * unsubscribes.
 */
function watchReturns(
  repository: Pick<AccountRepository, 'list' | 'find' | 'onChange'>,
  isBack: (account: Account) => void,
): () => void {
  const states = new Map(repository.list().map(({ id, state }) => [id, state]));
  return repository.onChange((accountId) => {
    const account = repository.find(accountId);
    const before = states.get(accountId);
    if (account === null) {
      states.delete(accountId);
      return;
    }
    states.set(accountId, account.state);
    if (account.state === 'ok' && before !== undefined && before !== 'ok' && before !== 'slowed') isBack(account);
  });
}

/** Throws BAD_REQUEST for this computer, which cannot be renamed, moved or removed. */
function removableAccount(directory: Pick<Directory, 'get'>, accountId: string): Account {
  if (accountId !== THIS_MACHINE) return directory.get(accountId);
  throw new AppError('BAD_REQUEST', 'This computer is always there, under its own name and with keys of its own.');
}

/** The stored keys of accounts. One that a pairing created is deleted at its engine when nobody uses it any more. */
function createKeys(options: AccountChangesOptions, tracked: (work: Promise<void>) => Promise<void>) {
  const { secrets, repository, clock } = options;

  /** The key that a pairing created; null for any other key, and where it cannot be read. */
  async function paired({ id, key }: Account): Promise<UsableKey | null> {
    if (key?.pairedId === undefined) return null;
    const stored = await secrets.get(keyName(id)).catch(() => null);
    return stored === null ? null : { key: stored, pairedId: key.pairedId };
  }

  /** The engine may be away: nobody waits for it. */
  function discard(account: Account, unused: UsableKey | null): void {
    if (unused !== null) void tracked(deletePairedKey(account, unused, options));
  }

  return {
    paired,
    discard,
    /** An account has one entry: the new key replaces the old one. */
    async replace(account: Account, { key, pairedId }: UsableKey): Promise<void> {
      const before = await paired(account);
      await secrets.set(keyName(account.id), key);
      repository.setKey(account.id, describeKey(key, clock.now(), secrets.kind, pairedId));
      discard(account, before?.key === key ? null : before);
    },
  };
}

export function createAccountChanges(options: AccountChangesOptions): AccountChanges {
  const { directory, repository, secrets, clock, logger, stopping } = options;
  const { tracked, settled } = createTracker();
  const keys = createKeys(options, tracked);

  const removable = (accountId: string): Account => removableAccount(directory, accountId);

  async function test(accountId: string): Promise<Account> {
    const account = directory.get(accountId);
    if (accountId === THIS_MACHINE) return account;
    let result: AccountProbe;
    try {
      result = await probeAccount(account, await storedKey(secrets, account), options);
    } catch (thrown) {
      if (thrown instanceof AppError) repository.failed(accountId, thrown);
      throw thrown;
    }
    stopping.throwIfAborted();
    return repository.find(accountId) === null ? account : repository.setProbe(accountId, result);
  }

  const unsubscribe = watchReturns(repository, ({ id, probedAt }) => {
    if (clock.now() - (probedAt ?? 0) < PROBE_GAP_MS || stopping.aborted) return;
    tracked(test(id)).catch((thrown: unknown) => {
      if (!stopping.aborted) logger.warn({ err: thrown, accountId: id }, 'an account that is back could not be probed');
    });
  });

  async function add(draft: AccountDraft): Promise<Account> {
    const typed = readDraft(draft);
    repository.checkNew(draft.name);
    return withUsableKey(typed, draft.key, options, async ({ key, pairedId }) => {
      const result = await probeWorking(typed, key, options);
      const name = draft.name ?? repository.freeName(await machineName(typed, key, options));
      // Another account may have been added in the meantime.
      repository.checkNew(name);
      const id = randomUUID();
      await secrets.set(keyName(id), key);
      try {
        return repository.add(id, { ...typed, name }, describeKey(key, clock.now(), secrets.kind, pairedId), result);
      } catch (thrown) {
        await secrets.delete(keyName(id));
        throw thrown;
      }
    });
  }

  async function replaceKey(accountId: string, typed: string): Promise<Account> {
    const account = removable(accountId);
    return withUsableKey(account, typed, options, async (usable) => {
      const result = await probeWorking(account, usable.key, options);
      removable(accountId);
      await keys.replace(account, usable);
      directory.renew(accountId);
      return repository.setProbe(accountId, result);
    });
  }

  async function changeAddresses(accountId: string, addresses: TypedAddresses, typed: string | null): Promise<Account> {
    const account = removable(accountId);
    const place = readMove(account, addresses);
    // A stored key must not be sent to a new host: a person who can type an address there could steal it.
    const strange = typed === null ? newHost(account.addresses, place.addresses) : null;
    if (strange !== null) {
      throw new AppError(
        'BAD_REQUEST',
        `The stored key was not entered for ${strange}, so it is not sent there. Enter the key as well.`,
      );
    }
    const moved = { ...account, ...place };
    return withUsableKey(moved, typed ?? (await storedKey(secrets, account)), options, async (usable) => {
      const result = await probeWorking(moved, usable.key, options);
      if (removable(accountId).key?.fingerprint !== account.key?.fingerprint) {
        throw new AppError(
          'CONFLICT',
          'It was given another key in the meantime. Try the addresses again with that one.',
        );
      }
      if (typed !== null) await keys.replace(account, usable);
      // Running requests finish with the old address: an aborted stream would lose a piece.
      directory.renew(accountId);
      return repository.move(accountId, place, result);
    });
  }

  async function remove(accountId: string): Promise<void> {
    const account = removable(accountId);
    const paired = await keys.paired(account);
    // The key first, because a key without an account is worse than an account without a key.
    await secrets.delete(keyName(accountId));
    repository.remove(accountId);
    // Stop readers first: they would treat an aborted request as an answer.
    const left = options.leave(accountId);
    directory.forget(accountId);
    await left;
    keys.discard(account, paired);
  }

  return {
    probe: async (draft) => tracked(probeDraft(draft, options)),
    add: (draft) => tracked(add(draft)),
    rename(accountId, name) {
      removable(accountId);
      const account = repository.rename(accountId, name);
      directory.renew(accountId);
      return account;
    },
    test: (accountId) => tracked(test(accountId)),
    replaceKey: (accountId, key) => tracked(replaceKey(accountId, key)),
    changeAddresses: (accountId, addresses, key) => tracked(changeAddresses(accountId, addresses, key)),
    remove: (accountId) => tracked(remove(accountId)),
    async stop() {
      unsubscribe();
      await settled();
    },
  };
}
