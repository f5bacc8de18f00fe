/** Stop signals: the first one stops in order, a second one ends everything immediately. */
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type StopSignal = (typeof SIGNALS)[number];

/**
 * Ctrl+C reaches every process of the terminal, and the processes in between (npm, the serve script) forward it: the
 * same signal again within this time is the same keystroke.
 */
const ECHO_MS = 250;

export interface SignalActions {
  /** Stops in order; an error ends the wait. */
  first(signal: StopSignal): Promise<void>;
  /** Only the most urgent cleanup; the process ends right after it. */
  second(): void;
}

/** Resolves after the first signal is handled. */
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
