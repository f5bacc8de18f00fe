/** Polls the facts about this machine that the rules of pausing need, while a rule needs any. */
import type { MachineSettings } from '#contract/local/machine.ts';
import { factsFor, type FactsQuery, type MachineFacts } from './rules.ts';
import type { Cancel, Clock } from '../core/ports.ts';

/** Inspects this machine and returns the facts of `query` only. Never rejects. */
export type InspectMachine = (query: FactsQuery) => Promise<MachineFacts>;

export interface FactsPollingOptions {
  clock: Clock;
  /** The rules in force. */
  rules(): MachineSettings['rules'];
  inspectMachine: InspectMachine;
  /** Called after each poll. `atOnce`: these are the first facts. */
  onFacts(facts: MachineFacts, atOnce: boolean): void;
}

export interface FactsPolling {
  /** The facts of the last poll. */
  facts(): MachineFacts;
  /** Polls for the first time. Resolves after that poll, or after a few seconds. */
  start(): Promise<void>;
  /** Polls now. Call this after a change of the rules. */
  poll(): void;
  /** Resolves once no poll is running. `onFacts` is not called after that. */
  stop(): Promise<void>;
}

/** The pause between two polls of the machine, while a rule needs facts. */
const POLL_EVERY_MS = 5000;
/** The longest time that a start waits for the first poll. */
const FIRST_POLL_MS = 3000;

const nothingKnown: MachineFacts = { onBattery: null, programs: null, gpus: null };

export function createFactsPolling({ clock, rules, inspectMachine, onFacts }: FactsPollingOptions): FactsPolling {
  let facts = nothingKnown;
  let polling: Promise<void> | null = null;
  let pollAgain = false;
  let nextPoll: Cancel | null = null;
  let stopped = false;

  async function pollOnce(atOnce: boolean): Promise<void> {
    const query = factsFor(rules());
    const needed = Object.values(query).some(Boolean);
    facts = needed ? await inspectMachine(query) : nothingKnown;
    if (stopped) return;
    onFacts(facts, atOnce);
    if (needed) nextPoll = clock.after(POLL_EVERY_MS, () => poll());
  }

  function poll(atOnce = false): void {
    if (stopped) return;
    // The running poll may lack facts that the changed rules need: another one follows.
    if (polling) {
      pollAgain = true;
      return;
    }
    nextPoll?.();
    nextPoll = null;
    polling = pollOnce(atOnce).then(() => {
      polling = null;
      if (!pollAgain) return;
      pollAgain = false;
      poll();
    });
  }

  return {
    facts: () => facts,
    async start() {
      poll(true);
      // A system that does not answer must not keep the engine from starting.
      await new Promise<void>((resolve) => {
        const cancel = clock.after(FIRST_POLL_MS, resolve);
        void polling?.then(() => {
          cancel();
          resolve();
        });
      });
    },
    poll: () => poll(),
    async stop() {
      stopped = true;
      nextPoll?.();
      await polling;
    },
  };
}
