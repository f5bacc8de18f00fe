/** The status of the updates. Only events of the table change its state, and listeners are notified. */
import type { Logger } from 'pino';
import type { UpdateChannel, UpdateStatus } from '#contract/bridge/updates.ts';
import { updateFailure } from './failureWords.ts';
import { nextState, type UpdateEvent } from './stateMachine.ts';

export interface StatusHolder {
  readonly now: UpdateStatus;
  /** Calls the listener after each change. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  /** Changes facts without a change of the state. */
  change(changes: Partial<Omit<UpdateStatus, 'state'>>): void;
  /** Returns whether the event leads to another state. Progress, work and reason of the old state are cleared. */
  move(event: UpdateEvent, changes?: Partial<Omit<UpdateStatus, 'state'>>): boolean;
  /** Sets the reason of a failed check, download or installation. */
  fail(error: unknown): void;
}

/** `current`: the running version. */
export function createStatus(current: string, channel: UpdateChannel, logger: Logger): StatusHolder {
  const listeners = new Set<() => void>();
  let now: UpdateStatus = {
    state: 'idle',
    current,
    channel,
    version: null,
    newest: null,
    withheld: null,
    progress: null,
    plan: null,
    work: [],
    reason: null,
    manual: null,
    command: null,
    checkedAt: null,
  };

  function set(changes: Partial<UpdateStatus>): void {
    now = { ...now, ...changes };
    for (const listener of listeners) listener();
  }

  function move(event: UpdateEvent, changes: Partial<Omit<UpdateStatus, 'state'>> = {}): boolean {
    const state = nextState(now.state, event);
    if (state === null) return false;
    logger.info({ from: now.state, to: state, version: changes.version ?? now.version }, 'update');
    set({ progress: null, work: [], reason: null, ...changes, state });
    return true;
  }

  return {
    get now() {
      return now;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change: set,
    move,
    fail(error) {
      logger.warn({ err: error }, 'the update failed');
      move('fail', { reason: updateFailure(error) });
    },
  };
}
