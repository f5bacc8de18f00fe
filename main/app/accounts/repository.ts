/** The accounts besides this computer: kept in their file, and how each is doing since the app started. */
import type { Account, AccountKey } from '#contract/app/account.ts';
import type { AccountProbe } from '#contract/bridge/account.ts';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Cancel, Clock } from '../platform/clock.ts';
import type { AccountFile, StoredAccount } from './accountFile.ts';
import { conditionOf, keyless, ok, unknown, type Condition } from './health.ts';
import type { AccountTarget, Reading } from './formParser.ts';

/** When an account was last used is written down this often at most; the exact time is only in memory. */
const SAVED_USE_MS = 60_000;

export interface AccountRepository {
  list(): Account[];
  find(accountId: string): Account | null;
  /** Throws CONFLICT where the name is taken, or there are as many as there may be. */
  checkNew(name: string): void;
  add(id: string, reading: Reading, key: AccountKey, probe: AccountProbe): Account;
  rename(accountId: string, name: string): Account;
  setKey(accountId: string, key: AccountKey): void;
  setProbe(accountId: string, probe: AccountProbe): Account;
  /** What worked at the new place is what its probe found there. */
  move(accountId: string, place: AccountTarget, probe: AccountProbe): Account;
  remove(accountId: string): void;
  /** All keys were moved there. */
  keysMoved(to: AccountKey['keptIn']): void;
  /** A request was answered as it should be. */
  answered(accountId: string): void;
  /** A request came to nothing. */
  failed(accountId: string, error: AppError): void;
  /** Its service itself answers that it cannot do anything now. */
  away(accountId: string, reason: string): void;
  /** When an account that is offline is asked again. */
  setNextTry(accountId: string, nextTryAt: number): void;
  /** Calls the listener when what was answered leaves open whether its service, or something before it, is in trouble. Answers how to stop that. */
  onDoubt(listener: (accountId: string) => void): () => void;
  /** Calls the listener after each change that is worth showing; `accountId` is whose. Answers how to stop that. */
  onChange(listener: (accountId: string) => void): () => void;
  stop(): void;
}

interface AccountEntry {
  account: StoredAccount;
  condition: Condition;
  savedUseAt: number;
  /** Ends `slowed` at its time. */
  cancel: Cancel;
}

const noTimer: Cancel = () => undefined;
const LOST_KEY = 'Its key was kept for one run of Hangar only, and that has ended. Enter it again.';

export function createAccountRepository(file: AccountFile, clock: Clock): AccountRepository {
  const listeners = new Set<(accountId: string) => void>();
  const doubting = new Set<(accountId: string) => void>();
  const entries = new Map<string, AccountEntry>();
  for (const account of file.accounts) {
    const isLost = account.key?.keptIn === 'memory';
    const condition = isLost ? { ...keyless, reason: LOST_KEY } : account.key === null ? keyless : unknown;
    const one = { ...account, ...(isLost && { key: null }) };
    entries.set(account.id, { account: one, condition, savedUseAt: account.lastUsedAt ?? 0, cancel: noTimer });
  }

  const save = (): void => {
    file.write([...entries.values()].map(({ account }) => account));
    for (const one of entries.values()) one.savedUseAt = one.account.lastUsedAt ?? 0;
  };
  const notify = (accountId: string): void => {
    for (const listener of listeners) listener(accountId);
  };

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

  function get(accountId: string): AccountEntry {
    const one = entries.get(accountId);
    if (one) return one;
    throw new AppError('NOT_FOUND', `There is no account "${accountId}".`);
  }

  /** Stores a change of an account. Throws, and changes nothing, where the file cannot be written. */
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
    } catch {
      // A failed write of the time of use must not fail the request; other writes report the broken disk.
    }
    notify(one.account.id);
  }

  function answered(accountId: string): void {
    const one = entries.get(accountId);
    if (!one) return;
    used(one);
    // Another operation may still be slowed down: that one request was answered does not say that all are.
    if (one.condition.state !== 'slowed') become(one, ok);
  }

  function checkName(name: string, besides: string | null): void {
    const taken = [...entries.values()].some(
      ({ account }) => account.id !== besides && account.name.toLowerCase() === name.toLowerCase(),
    );
    if (!taken) return;
    throw new AppError(
      'CONFLICT',
      `There is another account with the name "${name}". Choose one that tells them apart.`,
    );
  }

  return {
    list: () => [...entries.values()].map(shown),
    find(accountId) {
      const one = entries.get(accountId);
      return one ? shown(one) : null;
    },
    checkNew(name) {
      checkName(name, null);
      if (entries.size < limits.accounts.most) return;
      throw new AppError(
        'CONFLICT',
        `There are ${entries.size} accounts, which is as many as there may be. Remove one first.`,
      );
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
      checkName(name, accountId);
      return keep(one, { name });
    },
    setKey: (accountId, key) => void keep(get(accountId), { key }),
    setProbe(accountId, { capabilities, lacks, state, reason, nextTryAt }) {
      const one = get(accountId);
      become(one, { state, reason, nextTryAt });
      // What an account could do is not forgotten because it cannot be asked now.
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
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      for (const one of entries.values()) one.cancel();
      if ([...entries.values()].some(({ account, savedUseAt }) => (account.lastUsedAt ?? 0) > savedUseAt)) {
        try {
          save();
        } catch {
          // The app ends all the same.
        }
      }
    },
  };
}
