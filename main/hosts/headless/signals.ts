/** Stop signals: the first one stops in order, a second one ends everything at once. */
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof SIGNALS)[number];

/**
 * Ctrl+C reaches every process of the terminal, and those in between (npm, the serve script) pass it on as well: the same
 * signal again within this time is the same keystroke.
 */
const ECHO_MS = 250;

export interface SignalActions {
  /** Stops in order; what it throws ends the wait. */
  first(signal: StopSignal): Promise<void>;
  /** Only what must not be left behind; the process ends right after it. */
  second(): void;
}

/** Settles when the first signal has been dealt with. */
export function onStopSignals({ first, second }: SignalActions): Promise<void> {
  return new Promise((resolve, reject) => {
    let began: { signal: StopSignal; at: number } | null = null;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        const now = performance.now();
        if (began === null) {
          began = { signal, at: now };
          first(signal).then(resolve, reject);
        } else if (signal !== began.signal || now - began.at > ECHO_MS) {
          second();
          process.exit(128 + constants.signals[signal]);
        }
      });
    }
  });
}
