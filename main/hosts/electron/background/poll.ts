/** Reads a value at regular intervals and reports its changes. */
import type { Logger } from 'pino';
import type { Cancel, Clock } from '../../../app/platform/clock.ts';

export interface Polling {
  /** Reads at once, for example after a change by this program. */
  refresh(): void;
  stop(): void;
}

interface PollOptions<T> {
  /** The first value, as long as nothing was read. */
  readonly first: T;
  /** Gets the last value. If it rejects, the last value stays. */
  readonly read: (last: T) => Promise<T>;
  /** Called with each value that differs from the one before. */
  readonly onChange: (value: T) => void;
  /** The pause between the end of a read and the next one, milliseconds. */
  readonly everyMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function poll<T>({ first, read, onChange, everyMs, clock, logger }: PollOptions<T>): Polling {
  let last = first;
  let cancel: Cancel = () => undefined;
  /** The number of the latest read. The answers of earlier reads are ignored. */
  let latest = 0;
  let isStopped = false;

  async function next(): Promise<void> {
    cancel();
    const readNumber = ++latest;
    let value = last;
    try {
      value = await read(last);
    } catch (err) {
      // Usually the engine is starting: its state is shown already.
      logger.debug({ err }, 'a value for the tray could not be read');
    }
    if (isStopped || readNumber !== latest) return;
    if (JSON.stringify(value) !== JSON.stringify(last)) {
      last = value;
      onChange(value);
    }
    cancel = clock.after(everyMs, () => void next());
  }

  void next();
  return {
    refresh: () => void next(),
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
