/** The procedures about accounts, and the event iterator of all accounts. */
import type { Account } from '#contract/app/account.ts';
import type { accountContract } from '#contract/bridge/account.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { AccountChanges } from '../services/accounts/accountService.ts';
import { presets } from '../accounts/presets.ts';
import { pause, type Clock } from '../platform/clock.ts';
import type { Directory } from '../services/directory.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { AppTerminals } from '../terminals/appTerminals.ts';
import { createBell, PACE_MS } from './asyncSignal.ts';

/** All accounts now, and again after each change of any. */
export async function* watchAccounts(
  directory: Pick<Directory, 'list' | 'onChange'>,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<Account[], void, void> {
  const bell = createBell(signal);
  const unsubscribe = directory.onChange(() => bell.ring());
  try {
    while (!signal.aborted) {
      yield directory.list();
      await bell.next();
      await pause(clock, PACE_MS, signal);
    }
  } finally {
    unsubscribe();
    bell.stop();
  }
}

export interface AccountBinding {
  directory: Directory;
  changes: AccountChanges;
  ledger: Pick<Ledger, 'unfinished'>;
  terminals: Pick<AppTerminals, 'of'>;
  clock: Clock;
  lifeOf: (signal: AbortSignal | undefined) => AbortSignal;
  translated: <T>(events: AsyncGenerator<T, void, void>) => AsyncGenerator<T, void, void>;
}

export function bindAccounts(
  app: ImplementerInternalWithMiddlewares<typeof accountContract, Record<never, never>, Record<never, never>>,
  { directory, changes, ledger, terminals, clock, lifeOf, translated }: AccountBinding,
) {
  return {
    list: app.list.handler(() => directory.list()),
    changes: app.changes.handler(({ signal }) => translated(watchAccounts(directory, clock, lifeOf(signal)))),
    presets: app.presets.handler(() => [...presets]),
    probe: app.probe.handler(({ input }) => changes.probe(input.draft)),
    add: app.add.handler(({ input }) => changes.add(input.draft)),
    rename: app.rename.handler(({ input: { accountId, name } }) => changes.rename(accountId, name)),
    test: app.test.handler(({ input }) => changes.test(input.accountId)),
    replaceKey: app.replaceKey.handler(({ input: { accountId, key } }) => changes.replaceKey(accountId, key)),
    changeAddresses: app.changeAddresses.handler(({ input: { accountId, addresses, key } }) =>
      changes.changeAddresses(accountId, addresses, key),
    ),
    open: app.open.handler(async ({ input: { accountId } }) => ({
      jobs: ledger.unfinished().filter((entry) => entry.accountId === accountId).length,
      terminals: (await terminals.of(accountId).list()).length,
    })),
    remove: app.remove.handler(({ input }) => changes.remove(input.accountId)),
  };
}
