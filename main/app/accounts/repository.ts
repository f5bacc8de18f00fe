/** The accounts besides this computer: kept in their file, and how each is doing since the app started. */
import type { Account, AccountKey } from '#contract/app/account.ts';
import type { AccountProbe } from '#contract/bridge/account.ts';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import type { Cancel, Clock } from '../platform/clock.ts';
import type { AccountFile, KeptAccount } from './accountFile.ts';
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

interface Held {
  kept: KeptAccount;
  condition: Condition;
  savedUseAt: number;
  /** Ends `slowed` at its time. */
  cancel: Cancel;
}

const noTimer: Cancel = () => undefined;
const LOST_KEY = 'Its key was kept for one run of Hangar only, and that has ended. Enter it again.';

export function createKeptAccounts(file: AccountFile, clock: Clock): AccountRepository {
  const listeners = new Set<(accountId: string) => void>();
  const doubting = new Set<(accountId: string) => void>();
  const held = new Map<string, Held>();
  for (const kept of file.accounts) {
    const isLost = kept.key?.keptIn === 'memory';
    const condition = isLost ? { ...keyless, reason: LOST_KEY } : kept.key === null ? keyless : unknown;
    const one = { ...kept, ...(isLost && { key: null }) };
    held.set(kept.id, { kept: one, condition, savedUseAt: kept.lastUsedAt ?? 0, cancel: noTimer });
  }

  const save = (): void => {
    file.write([...held.values()].map(({ kept }) => kept));
    for (const one of held.values()) one.savedUseAt = one.kept.lastUsedAt ?? 0;
  };
  const tell = (accountId: string): void => {
    for (const listener of listeners) listener(accountId);
  };

  const shown = ({ kept, condition }: Held): Account => ({
    ...{ id: kept.id, name: kept.name, kind: kept.kind, dialect: kept.dialect },
    ...{ addresses: kept.addresses, address: kept.addresses.jobs },
    ...{ capabilities: kept.capabilities, lacks: kept.lacks, probedAt: kept.probedAt },
    ...{ key: kept.key, lastUsedAt: kept.lastUsedAt, ...condition },
  });

  function get(accountId: string): Held {
    const one = held.get(accountId);
    if (one) return one;
    throw new AppError('NOT_FOUND', `There is no account "${accountId}".`);
  }

  /** Changes what is kept, or nothing where it cannot be written. */
  function keep(one: Held, part: Partial<KeptAccount>): Account {
    const before = one.kept;
    one.kept = { ...before, ...part };
    try {
      save();
    } catch (thrown) {
      one.kept = before;
      throw thrown;
    }
    tell(before.id);
    return shown(one);
  }

  function become(one: Held, found: Condition): void {
    const { condition } = one;
    const staysAway = found.state === 'offline' && condition.state === 'offline';
    const next = staysAway ? { ...found, nextTryAt: condition.nextTryAt } : found;
    one.condition = next;
    one.cancel();
    one.cancel =
      next.state !== 'slowed' || next.nextTryAt === null
        ? noTimer
        : clock.after(Math.max(0, next.nextTryAt - clock.now()), () => {
            one.condition = ok;
            tell(one.kept.id);
          });
    if (condition.state !== next.state || condition.reason !== next.reason || condition.nextTryAt !== next.nextTryAt) {
      tell(one.kept.id);
    }
  }

  function used(one: Held): void {
    one.kept = { ...one.kept, lastUsedAt: clock.now() };
    if (clock.now() - one.savedUseAt < SAVED_USE_MS) return;
    one.savedUseAt = clock.now();
    try {
      save();
    } catch {
      // When it was used is not worth failing what it was used for; a disk that cannot be written to is told of elsewhere.
    }
    tell(one.kept.id);
  }

  function answered(accountId: string): void {
    const one = held.get(accountId);
    if (!one) return;
    used(one);
    // Another operation may still be slowed down: that one request was answered does not say that all are.
    if (one.condition.state !== 'slowed') become(one, ok);
  }

  function checkName(name: string, besides: string | null): void {
    const taken = [...held.values()].some(
      ({ kept }) => kept.id !== besides && kept.name.toLowerCase() === name.toLowerCase(),
    );
    if (!taken) return;
    throw new AppError(
      'CONFLICT',
      `There is another account with the name "${name}". Choose one that tells them apart.`,
    );
  }

  return {
    list: () => [...held.values()].map(shown),
    find(accountId) {
      const one = held.get(accountId);
      return one ? shown(one) : null;
    },
    checkNew(name) {
      checkName(name, null);
      if (held.size < limits.accounts.most) return;
      throw new AppError(
        'CONFLICT',
        `There are ${held.size} accounts, which is as many as there may be. Remove one first.`,
      );
    },
    add(id, reading, key, { capabilities, lacks, state, reason, nextTryAt }) {
      const now = clock.now();
      const kept = { id, ...reading, capabilities, lacks, probedAt: now, key, addedAt: now, lastUsedAt: now };
      const one: Held = { kept, condition: { state, reason, nextTryAt }, savedUseAt: now, cancel: noTimer };
      held.set(id, one);
      try {
        save();
      } catch (thrown) {
        held.delete(id);
        throw thrown;
      }
      tell(id);
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
      held.delete(accountId);
      try {
        save();
      } catch (thrown) {
        held.set(accountId, one);
        throw thrown;
      }
      one.cancel();
      tell(accountId);
    },
    keysMoved(to) {
      for (const one of held.values()) {
        if (one.kept.key !== null && one.kept.key.keptIn !== to) keep(one, { key: { ...one.kept.key, keptIn: to } });
      }
    },
    answered,
    failed(accountId, error) {
      const one = held.get(accountId);
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
      const one = held.get(accountId);
      if (one) become(one, { state: 'offline', reason, nextTryAt: null });
    },
    setNextTry(accountId, nextTryAt) {
      const one = held.get(accountId);
      if (one?.condition.state !== 'offline') return;
      one.condition = { ...one.condition, nextTryAt };
      tell(accountId);
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
      for (const one of held.values()) one.cancel();
      if ([...held.values()].some(({ kept, savedUseAt }) => (kept.lastUsedAt ?? 0) > savedUseAt)) {
        try {
          save();
        } catch {
          // The app ends all the same.
        }
      }
    },
  };
}
