/** The accounts besides this computer, in their file, and the health of each since the app started. */
import type { Account, AccountKey } from '#contract/app/account.ts';
import { freeAccountName } from '#contract/app/accountDraft.ts';
import type { AccountProbe } from '#contract/bridge/account.ts';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Logger } from 'pino';
import type { Cancel, Clock } from '../platform/clock.ts';
import type { AccountFile, StoredAccount } from './accountFile.ts';
import { conditionOf, keyless, ok, unknown, type Condition } from './health.ts';
import type { AccountTarget, Reading } from './formParser.ts';

/** The time of the last use is saved at most this often; the exact time is only in memory. */
const SAVED_USE_MS = 60_000;

export interface AccountRepository {
  list(): Account[];
  find(accountId: string): Account | null;
  /**
   * Throws CONFLICT if the name is taken, or if the maximum number of accounts is reached. null: a name that is free
   * will be found.
   */
  checkNew(name: string | null): void;
  /** The name, with a number if another account has it. */
  freeName(usual: string): string;
  add(id: string, reading: Reading, key: AccountKey, probe: AccountProbe): Account;
  rename(accountId: string, name: string): Account;
  setKey(accountId: string, key: AccountKey): void;
  setProbe(accountId: string, probe: AccountProbe): Account;
  /** Stores new addresses with the capabilities that the probe found there. */
  move(accountId: string, place: AccountTarget, probe: AccountProbe): Account;
  remove(accountId: string): void;
  /** Notes that all keys were moved to another store. */
  keysMoved(to: AccountKey['keptIn']): void;
  /** Notes that a request succeeded. */
  answered(accountId: string): void;
  /** Notes that a request failed. */
  failed(accountId: string, error: AppError): void;
  /** Notes that the service itself reports that it is unavailable. */
  away(accountId: string, reason: string): void;
  /** Sets the time of the next request to an offline account, in milliseconds since the epoch. */
  setNextTry(accountId: string, nextTryAt: number): void;
  /**
   * Calls the listener after an error that may be a fault of the service or of a proxy in front of it. Returns a
   * function that unsubscribes.
   */
  onDoubt(listener: (accountId: string) => void): () => void;
  /** Calls the listener with the id of the account after each visible change. Returns a function that unsubscribes. */
  onChange(listener: (accountId: string) => void): () => void;
  stop(): void;
}

interface AccountEntry {
  account: StoredAccount;
  condition: Condition;
  savedUseAt: number;
  /** Cancels the timer that ends `slowed`. */
  cancel: Cancel;
}

const noTimer: Cancel = () => undefined;
const LOST_KEY = 'Its key was only stored until Hangar quit. Enter it again.';

function readEntries(file: AccountFile): Map<string, AccountEntry> {
  const entries = new Map<string, AccountEntry>();
  for (const account of file.accounts) {
    const isLost = account.key?.keptIn === 'memory';
    const condition = isLost ? { ...keyless, reason: LOST_KEY } : account.key === null ? keyless : unknown;
    const one = { ...account, ...(isLost && { key: null }) };
    entries.set(account.id, { account: one, condition, savedUseAt: account.lastUsedAt ?? 0, cancel: noTimer });
  }
  return entries;
}

const shown = ({ account, condition }: AccountEntry): Account => ({
  id: account.id,
  name: account.name,
  kind: account.kind,
  dialect: account.dialect,
  addresses: account.addresses,
  address: account.addresses.jobs,
  capabilities: account.capabilities,
  lacks: account.lacks,
  probedAt: account.probedAt,
  key: account.key,
  lastUsedAt: account.lastUsedAt,
  ...condition,
});

/** Throws CONFLICT if an account other than `besides` has the name. */
function checkName(entries: ReadonlyMap<string, AccountEntry>, name: string, besides: string | null): void {
  const taken = [...entries.values()].some(
    ({ account }) => account.id !== besides && account.name.toLowerCase() === name.toLowerCase(),
  );
  if (!taken) return;
  throw new AppError('CONFLICT', `Another account has the name "${name}". Choose a different name.`);
}

interface HealthOptions {
  entries: ReadonlyMap<string, AccountEntry>;
  clock: Clock;
  logger: Logger;
  /** Throws if the file cannot be written. */
  save: () => void;
  notify: (accountId: string) => void;
}

type HealthUpdates = Pick<AccountRepository, 'answered' | 'failed' | 'away' | 'setNextTry' | 'onDoubt'> & {
  /** Sets the condition of an account, and notifies the listeners if it differs. */
  become(one: AccountEntry, latest: Condition): void;
};

/**
 * Updates the health of each account from the answers to its requests. A slowed account becomes ok when its time is
 * over.
 */
function createHealthUpdates({ entries, clock, logger, save, notify }: HealthOptions): HealthUpdates {
  const doubting = new Set<(accountId: string) => void>();

  function become(one: AccountEntry, latest: Condition): void {
    const { condition } = one;
    const staysAway = latest.state === 'offline' && condition.state === 'offline';
    const next = staysAway ? { ...latest, nextTryAt: condition.nextTryAt } : latest;
    one.condition = next;
    one.cancel();
    one.cancel =
      next.state !== 'slowed' || next.nextTryAt === null
        ? noTimer
        : clock.after(Math.max(0, next.nextTryAt - clock.now()), () => {
            one.condition = ok;
            notify(one.account.id);
          });
    if (condition.state !== next.state || condition.reason !== next.reason || condition.nextTryAt !== next.nextTryAt) {
      notify(one.account.id);
    }
  }

  function used(one: AccountEntry): void {
    one.account = { ...one.account, lastUsedAt: clock.now() };
    if (clock.now() - one.savedUseAt < SAVED_USE_MS) return;
    one.savedUseAt = clock.now();
    try {
      save();
    } catch (err) {
      // A failed write of the time of use must not fail the request; other writes report the broken disk.
      logger.warn({ err }, 'the time of the last use of an account could not be saved');
    }
    notify(one.account.id);
  }

  function answered(accountId: string): void {
    const one = entries.get(accountId);
    if (!one) return;
    used(one);
    // One answered request does not show that other operations are no longer slowed.
    if (one.condition.state !== 'slowed') become(one, ok);
  }

  return {
    become,
    answered,
    failed(accountId, error) {
      const one = entries.get(accountId);
      const next = conditionOf(error, clock.now());
      if (!one) return;
      if (next === null) {
        if (error.code === 'UNAVAILABLE') for (const listener of doubting) listener(accountId);
        return;
      }
      if (next.state !== 'ok') become(one, next);
      else answered(accountId);
    },
    away(accountId, reason) {
      const one = entries.get(accountId);
      if (one) become(one, { state: 'offline', reason, nextTryAt: null });
    },
    setNextTry(accountId, nextTryAt) {
      const one = entries.get(accountId);
      if (one?.condition.state !== 'offline') return;
      one.condition = { ...one.condition, nextTryAt };
      notify(accountId);
    },
    onDoubt(listener) {
      doubting.add(listener);
      return () => doubting.delete(listener);
    },
  };
}

export function createAccountRepository(file: AccountFile, clock: Clock, logger: Logger): AccountRepository {
  const listeners = new Set<(accountId: string) => void>();
  const entries = readEntries(file);

  const save = (): void => {
    file.write([...entries.values()].map(({ account }) => account));
    for (const one of entries.values()) one.savedUseAt = one.account.lastUsedAt ?? 0;
  };
  const notify = (accountId: string): void => {
    for (const listener of listeners) listener(accountId);
  };

  const { become, ...health } = createHealthUpdates({ entries, clock, logger, save, notify });

  function get(accountId: string): AccountEntry {
    const one = entries.get(accountId);
    if (one) return one;
    throw new AppError('NOT_FOUND', `There is no account "${accountId}".`);
  }

  /** Stores a change of an account. Throws, and changes nothing, if the file cannot be written. */
  function keep(one: AccountEntry, part: Partial<StoredAccount>): Account {
    const before = one.account;
    one.account = { ...before, ...part };
    try {
      save();
    } catch (thrown) {
      one.account = before;
      throw thrown;
    }
    notify(before.id);
    return shown(one);
  }

  return {
    list: () => [...entries.values()].map(shown),
    find(accountId) {
      const one = entries.get(accountId);
      return one ? shown(one) : null;
    },
    freeName: (usual) =>
      freeAccountName(
        usual,
        [...entries.values()].map(({ account }) => account.name),
      ),
    checkNew(name) {
      if (name !== null) checkName(entries, name, null);
      if (entries.size < limits.accounts.most) return;
      throw new AppError('CONFLICT', `There are already ${entries.size} accounts, the maximum. Remove one first.`);
    },
    add(id, reading, key, { capabilities, lacks, state, reason, nextTryAt }) {
      const now = clock.now();
      const account = { id, ...reading, capabilities, lacks, probedAt: now, key, addedAt: now, lastUsedAt: now };
      const one: AccountEntry = { account, condition: { state, reason, nextTryAt }, savedUseAt: now, cancel: noTimer };
      entries.set(id, one);
      try {
        save();
      } catch (thrown) {
        entries.delete(id);
        throw thrown;
      }
      notify(id);
      return shown(one);
    },
    rename(accountId, name) {
      const one = get(accountId);
      checkName(entries, name, accountId);
      return keep(one, { name });
    },
    setKey: (accountId, key) => void keep(get(accountId), { key }),
    setProbe(accountId, { capabilities, lacks, state, reason, nextTryAt }) {
      const one = get(accountId);
      become(one, { state, reason, nextTryAt });
      // Known capabilities stay while the account cannot be probed.
      if (state !== 'ok') return shown(one);
      return keep(one, { capabilities, lacks, probedAt: clock.now(), lastUsedAt: clock.now() });
    },
    move(accountId, { dialect, addresses }, { capabilities, lacks, state, reason, nextTryAt }) {
      const one = get(accountId);
      const now = clock.now();
      keep(one, { dialect, addresses, capabilities, lacks, probedAt: now, lastUsedAt: now });
      become(one, { state, reason, nextTryAt });
      return shown(one);
    },
    remove(accountId) {
      const one = get(accountId);
      entries.delete(accountId);
      try {
        save();
      } catch (thrown) {
        entries.set(accountId, one);
        throw thrown;
      }
      one.cancel();
      notify(accountId);
    },
    keysMoved(to) {
      for (const one of entries.values()) {
        if (one.account.key !== null && one.account.key.keptIn !== to)
          keep(one, { key: { ...one.account.key, keptIn: to } });
      }
    },
    ...health,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      for (const one of entries.values()) one.cancel();
      if ([...entries.values()].some(({ account, savedUseAt }) => (account.lastUsedAt ?? 0) > savedUseAt)) {
        try {
          save();
        } catch (err) {
          // A failed write does not stop the end of the app.
          logger.warn({ err }, 'the last use of the accounts could not be saved');
        }
      }
    },
  };
}
