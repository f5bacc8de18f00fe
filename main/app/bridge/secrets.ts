/** The procedures about the store of keys. They receive passphrases and never return a key. */
import type { secretsContract, SecretsState } from '#contract/bridge/secrets.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { Secrets } from '../secrets/secrets.ts';
import { createBell } from './asyncSignal.ts';

/** The secrets, and whether the data key of the engine survives the run. */
export interface SecretsService {
  readonly secrets: Secrets;
  outlivesRun(): boolean;
  /** Settles after the data key was moved to the current store, or the move failed. */
  settled(): Promise<void>;
  /** Calls the listener when `outlivesRun` may have changed. Returns a function that unsubscribes. */
  onOutlivesRun(listener: () => void): () => void;
}

async function* watchSecrets(
  secretsService: SecretsService,
  state: () => SecretsState,
  signal: AbortSignal,
): AsyncGenerator<SecretsState, void, void> {
  const bell = createBell(signal);
  const unsubscribe = [secretsService.secrets.onState(bell.ring), secretsService.onOutlivesRun(bell.ring)];
  try {
    for (let sent = ''; !signal.aborted; await bell.next()) {
      const now = state();
      const text = JSON.stringify(now);
      if (text !== sent) yield now;
      sent = text;
    }
  } finally {
    for (const leave of unsubscribe) leave();
    bell.stop();
  }
}

export function bindSecrets(
  procedures: ImplementerInternalWithMiddlewares<typeof secretsContract, object, object>,
  secretsService: SecretsService,
  lifeOf: (signal: AbortSignal | undefined) => AbortSignal,
) {
  const { secrets } = secretsService;
  const state = (): SecretsState => ({ ...secrets.state(), outlivesRun: secretsService.outlivesRun() });
  return {
    state: procedures.state.handler(state),
    changes: procedures.changes.handler(({ signal }) => watchSecrets(secretsService, state, lifeOf(signal))),
    choose: procedures.choose.handler(async ({ input: { kind, passphrase, leave } }) => {
      await secrets.choose(kind, passphrase, leave);
      await secretsService.settled();
      return state();
    }),
    unlock: procedures.unlock.handler(async ({ input }) => {
      await secrets.unlock(input.passphrase);
      await secretsService.settled();
      return state();
    }),
    changePassphrase: procedures.changePassphrase.handler(async ({ input: { from, to } }) => {
      await secrets.changePassphrase(from, to);
      return state();
    }),
    check: procedures.check.handler(async () => {
      await secrets.check();
      await secretsService.settled();
      return state();
    }),
  };
}
