/** The procedures about accounts, and all of them told again whenever one has changed. */
import type { Account } from '#contract/account.ts';
import type { accountContract } from '#contract/accountBridge.ts';
import { AppError } from '#contract/errors.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import { presets } from '../accounts/presets.ts';
import { pause, type Clock } from '../clock.ts';
import type { Directory } from '../directory.ts';
import { createBell, PACE_MS } from './bell.ts';

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
      await bell.heard();
      await pause(clock, PACE_MS, signal);
    }
  } finally {
    unsubscribe();
    bell.stop();
  }
}

export interface AccountBinding {
  directory: Directory;
  clock: Clock;
  lifeOf: (signal: AbortSignal | undefined) => AbortSignal;
  translated: <T>(events: AsyncGenerator<T, void, void>) => AsyncGenerator<T, void, void>;
}

export function bindAccounts(
  app: ImplementerInternalWithMiddlewares<typeof accountContract, Record<never, never>, Record<never, never>>,
  { directory, clock, lifeOf, translated }: AccountBinding,
) {
  const none = (): never => {
    throw new AppError('UNSUPPORTED', 'There is no account but this computer.');
  };
  return {
    list: app.list.handler(() => directory.list()),
    changes: app.changes.handler(({ signal }) => translated(watchAccounts(directory, clock, lifeOf(signal)))),
    presets: app.presets.handler(() => [...presets]),
    notices: app.notices.handler(() => []),
    probe: app.probe.handler(none),
    add: app.add.handler(none),
    rename: app.rename.handler(none),
    test: app.test.handler(none),
    replaceKey: app.replaceKey.handler(none),
    remove: app.remove.handler(none),
  };
}
