/** Adds, tries and removes accounts: nothing is kept of one that does not work, and no key outlives what it was for. */
import { randomUUID } from 'node:crypto';
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import type { AccountDraft, AccountProbe, TypedAddresses } from '#contract/bridge/account.ts';
import { AppError, type ErrorCode } from '#contract/core/errors.ts';
import type { Logger } from 'pino';
import { noKey } from '../accounts/health.ts';
import { newHost, readDraft, readMove, type Reading } from '../accounts/formParser.ts';
import type { AccountRepository } from '../accounts/repository.ts';
import { describeKey } from '../accounts/keys.ts';
import { probe } from '../accounts/probe.ts';
import { questionsOf } from './capabilityProbe.ts';
import type { Clock } from '../platform/clock.ts';
import { keyName, type Directory } from './directory.ts';
import { createAccountClient } from './accountClient.ts';
import type { SecretStore } from '../secrets/secretStore.ts';

export interface AccountChanges {
  /** Nothing is kept of it. Rejects with BAD_REQUEST for an address that cannot be right. */
  probe(draft: AccountDraft): Promise<AccountProbe>;
  /** Rejects, and keeps nothing, where it does not answer or does not take the key. */
  add(draft: AccountDraft): Promise<Account>;
  rename(accountId: string, name: string): Account;
  test(accountId: string): Promise<Account>;
  /** Rejects, and changes nothing, where the new key does not work. */
  replaceKey(accountId: string, key: string): Promise<Account>;
  /**
   * Its id and what the ledger has of it stay. Rejects, and changes nothing, where its key does not work there, and with
   * BAD_REQUEST where the key that is kept was never given for one of the hosts: then it has to be typed, as `key`.
   */
  changeAddresses(accountId: string, addresses: TypedAddresses, key: string | null): Promise<Account>;
  /** Whatever is open of it here ends at once: readers, terminals over SSH, files on their way. */
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
  /** Ends whatever else is open of an account that was removed. */
  leave: (accountId: string) => Promise<unknown>;
  stopping: AbortSignal;
}

/** An account that flickers is not probed at each of its comings back. */
const PROBE_GAP_MS = 60_000;

const refusals: Partial<Record<AccountProbe['state'], ErrorCode>> = {
  refused: 'UNAUTHORIZED',
  slowed: 'TOO_MANY_REQUESTS',
};

export function createAccountChanges(options: AccountChangesOptions): AccountChanges {
  const { directory, repository, secrets, clock, logger, stopping } = options;
  const underWay = new Set<Promise<unknown>>();
  const states = new Map<string, Account['state']>();

  /** Awaited by `stop`. */
  function tracked<T>(work: Promise<T>): Promise<T> {
    const settled = work
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => underWay.delete(settled));
    underWay.add(settled);
    return work;
  }

  /** With connections of its own, which end with it: so nothing of a look outlives its time. */
  async function tryOut(account: Reading, key: string): Promise<AccountProbe> {
    const observer = { answered: () => undefined, failed: () => undefined };
    const reach = createAccountClient({
      account,
      hasLocal: account.kind === 'engine',
      observer,
      logger,
      key: () => Promise.resolve(key),
    });
    const breakOff = (): void => void reach.stop();
    stopping.addEventListener('abort', breakOff);
    try {
      return await probe(questionsOf(reach.compute, clock.now()), clock);
    } finally {
      stopping.removeEventListener('abort', breakOff);
      await reach.stop();
    }
  }

  function checkWorks({ state, reason, nextTryAt }: AccountProbe): void {
    if (state === 'ok') return;
    throw new AppError(refusals[state] ?? 'UNAVAILABLE', reason ?? 'It did not answer.', {
      ...(nextTryAt !== null && { retryAfterMs: Math.max(0, nextTryAt - clock.now()) }),
    });
  }

  function removable(accountId: string): Account {
    if (accountId !== THIS_MACHINE) return directory.get(accountId);
    throw new AppError('BAD_REQUEST', 'This computer is always there, under its own name and with keys of its own.');
  }

  async function keyOf({ id, name }: Account): Promise<string> {
    const key = await secrets.get(keyName(id));
    if (key !== null) return key;
    throw noKey(name);
  }

  async function test(accountId: string): Promise<Account> {
    const account = directory.get(accountId);
    if (accountId === THIS_MACHINE) return account;
    let result: AccountProbe;
    try {
      result = await tryOut(account, await keyOf(account));
    } catch (thrown) {
      if (thrown instanceof AppError) repository.failed(accountId, thrown);
      throw thrown;
    }
    stopping.throwIfAborted();
    return repository.find(accountId) === null ? account : repository.setProbe(accountId, result);
  }

  /** An account that is back may be able to do other things than before. */
  const unsubscribe = repository.onChange((accountId) => {
    const account = repository.find(accountId);
    const before = states.get(accountId);
    if (account === null) {
      states.delete(accountId);
      return;
    }
    states.set(accountId, account.state);
    const isBack = account.state === 'ok' && before !== undefined && before !== 'ok' && before !== 'slowed';
    if (!isBack || clock.now() - (account.probedAt ?? 0) < PROBE_GAP_MS || stopping.aborted) return;
    tracked(test(accountId)).catch((thrown: unknown) => {
      if (!stopping.aborted) logger.warn({ err: thrown, accountId }, 'an account that is back could not be looked at');
    });
  });
  for (const { id, state } of repository.list()) states.set(id, state);

  async function add(draft: AccountDraft): Promise<Account> {
    const reading = readDraft(draft);
    repository.checkNew(reading.name);
    const result = await tryOut(reading, draft.key);
    checkWorks(result);
    // Another one may have been added meanwhile.
    repository.checkNew(reading.name);
    const id = randomUUID();
    await secrets.set(keyName(id), draft.key);
    try {
      return repository.add(id, reading, describeKey(draft.key, clock.now(), secrets.kind), result);
    } catch (thrown) {
      await secrets.delete(keyName(id));
      throw thrown;
    }
  }

  async function replaceKey(accountId: string, key: string): Promise<Account> {
    const account = removable(accountId);
    const result = await tryOut(account, key);
    checkWorks(result);
    removable(accountId);
    // An account has one entry: the new key replaces the old one.
    await secrets.set(keyName(accountId), key);
    directory.renew(accountId);
    repository.setKey(accountId, describeKey(key, clock.now(), secrets.kind));
    return repository.setProbe(accountId, result);
  }

  async function changeAddresses(accountId: string, addresses: TypedAddresses, typed: string | null): Promise<Account> {
    const account = removable(accountId);
    const place = readMove(account, addresses);
    // A stored key must not be sent to a new host: who types an address there could read it.
    const strange = typed === null ? newHost(account.addresses, place.addresses) : null;
    if (strange !== null) {
      throw new AppError(
        'BAD_REQUEST',
        `The key that is kept was never given for ${strange}, so it is not sent there: type the key as well.`,
      );
    }
    const result = await tryOut({ ...account, ...place }, typed ?? (await keyOf(account)));
    checkWorks(result);
    if (removable(accountId).key?.fingerprint !== account.key?.fingerprint) {
      throw new AppError('CONFLICT', 'It was given another key meanwhile. Try the addresses again with that one.');
    }
    if (typed !== null) {
      await secrets.set(keyName(accountId), typed);
      repository.setKey(accountId, describeKey(typed, clock.now(), secrets.kind));
    }
    // Running requests finish with the old address: an aborted stream would lose a piece.
    directory.renew(accountId);
    return repository.move(accountId, place, result);
  }

  async function remove(accountId: string): Promise<void> {
    removable(accountId);
    // First, because a key that is left behind is worse than an account without one.
    await secrets.delete(keyName(accountId));
    repository.remove(accountId);
    // Stop readers first: they would take an aborted request for an answer.
    const left = options.leave(accountId);
    directory.forget(accountId);
    await left;
  }

  return {
    probe: async (draft) => tracked(tryOut(readDraft(draft), draft.key)),
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
      await Promise.all(underWay);
    },
  };
}
