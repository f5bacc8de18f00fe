/** The procedures about updates. Only the desktop program installs updates itself. */
import type { UpdateChannel, UpdatePlan, updatesContract, UpdateStatus } from '#contract/bridge/updates.ts';
import { AppError } from '#contract/core/errors.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import { pause, type Clock } from '../../platform/clock.ts';
import { createBell, PACE_MS } from '../asyncSignal.ts';

/** The updates of a host. */
export interface UpdateService {
  readonly status: UpdateStatus;
  /** Calls the listener after each change of the status. Returns a function that unsubscribes. */
  onStatus(listener: () => void): () => void;
  /** Resolves with the status after the check for a newer version. */
  check(): Promise<UpdateStatus>;
  /** Rejects with CONFLICT if no version is ready. */
  choose(plan: UpdatePlan): Promise<UpdateStatus>;
  /** Rejects with CONFLICT while the program ends for an update. */
  setChannel(channel: UpdateChannel): Promise<UpdateStatus>;
}

/** The status now, then each change. If changes come faster than a window can show them, only the last one is sent. */
async function* watchUpdates(
  updates: UpdateService,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<UpdateStatus, void, void> {
  const bell = createBell(signal);
  const unsubscribe = updates.onStatus(bell.ring);
  try {
    while (!signal.aborted) {
      yield updates.status;
      await bell.next();
      await pause(clock, PACE_MS, signal);
    }
  } finally {
    unsubscribe();
    bell.stop();
  }
}

export function bindUpdates(
  procedures: ImplementerInternalWithMiddlewares<typeof updatesContract, object, object>,
  updates: UpdateService | null,
  clock: Clock,
  lifeOf: (signal: AbortSignal | undefined) => AbortSignal,
) {
  function service(): UpdateService {
    if (updates !== null) return updates;
    throw new AppError('NOT_FOUND', 'Only the desktop program updates itself. Update this one as it was installed.');
  }
  return {
    watch: procedures.watch.handler(({ signal }) => watchUpdates(service(), clock, lifeOf(signal))),
    check: procedures.check.handler(() => service().check()),
    choose: procedures.choose.handler(({ input }) => service().choose(input.plan)),
    setChannel: procedures.setChannel.handler(({ input }) => service().setChannel(input.channel)),
  };
}
