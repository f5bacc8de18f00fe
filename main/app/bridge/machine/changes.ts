/** The changes of an engine for a window: in batches, at a rate that a window can show. */
import type { StateChange } from '#contract/local/changes/stateChange.ts';
import { createWaitingChanges } from '#contract/local/changes/waitingChanges.ts';
import { toAppError, type AppError } from '#contract/core/errors.ts';
import type { MachineApi } from '../../compute/machine.ts';
import { pause, type Clock } from '../../platform/clock.ts';
import { createBell, PACE_MS } from '../asyncSignal.ts';

/**
 * Each endpoint and Pod once in a batch. Ends with the stream of the account; its failure is thrown after what came
 * before.
 */
export async function* watchChanges(
  machine: Pick<MachineApi, 'changes'>,
  clock: Clock,
  stopped: AbortSignal,
): AsyncGenerator<{ changes: StateChange[] }, void, void> {
  const life = new AbortController();
  const signal = AbortSignal.any([life.signal, stopped]);
  const came = createBell(signal);
  const waiting = createWaitingChanges();
  const stream: { isOver: boolean; failure: AppError | null } = { isOver: false, failure: null };
  async function read(): Promise<void> {
    try {
      for await (const change of machine.changes(signal)) {
        waiting.add(change);
        came.ring();
      }
    } catch (thrown) {
      stream.failure = toAppError(thrown);
    } finally {
      stream.isOver = true;
      came.ring();
    }
  }
  const reading = read();
  try {
    while (!signal.aborted) {
      if (!waiting.isEmpty()) {
        yield { changes: waiting.take() };
        await pause(clock, PACE_MS, signal);
      } else if (stream.failure) throw stream.failure;
      else if (stream.isOver) return;
      else await came.next();
    }
  } finally {
    life.abort();
    came.stop();
    await reading;
  }
}
