/** A machine that the rules of pausing look at in specs: its facts and its clock are set by hand. */
import { onTestFinished } from 'vitest';
import type { MachineSettings, StoredPause } from '#contract/local/machine.ts';
import type { SettingsChange } from '#contract/local/settings.ts';
import type { FactsQuery, MachineFacts, OthersUse } from '../../../main/engine/domain/pausing/rules.ts';
import { createPausing, type Pausing } from '../../../main/engine/domain/pausing/pausing.ts';
import { createSettings } from '../../../main/engine/domain/settings.ts';
import { createFakeClock, silentLogger, type FakeClock } from '../core/fakes.ts';

export const HOUR = 3_600_000;
export const MINUTE = 60_000;

interface Machine {
  clock: FakeClock;
  facts: { onBattery: boolean | null; programs: string[] | null; gpus: OthersUse[] | null };
  /** What was asked for at each look. */
  looks: FactsQuery[];
  busy: boolean;
  stored: unknown;
  storeFails: boolean;
  /** Minutes that the wall clock is ahead of the universal one. */
  zone: (at: number) => number;
}

export const machine = (facts: Partial<Machine> = {}): Machine => ({
  // A whole hour: midnight, universal time.
  clock: createFakeClock(Date.UTC(2026, 0, 15)),
  facts: { onBattery: false, programs: [], gpus: [] },
  looks: [],
  busy: false,
  stored: null,
  storeFails: false,
  zone: () => 0,
  ...facts,
});

export const turnsDone = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

/** Lets time pass in steps in which each look at the machine comes to its end. */
export async function pass(on: Machine, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 500) {
    on.clock.advance(Math.min(500, left));
    await turnsDone();
  }
}

export async function pausingOn(on: Machine, machineSettings: SettingsChange['machine'] = {}) {
  const settings = createSettings({ load: () => ({ machine: machineSettings }), save: () => undefined }, silentLogger);
  const pausing = await createPausing({
    clock: on.clock,
    logger: silentLogger,
    settings,
    store: {
      load: () => on.stored,
      save(state: StoredPause) {
        if (on.storeFails) throw new Error('disk full');
        on.stored = structuredClone(state);
      },
    },
    inspectMachine: (facts) => {
      on.looks.push(facts);
      return Promise.resolve({ ...on.facts } as MachineFacts);
    },
    minuteOfDay: (at) => (Math.floor(at / MINUTE) + on.zone(at)) % 1440,
    isBusy: () => on.busy,
  });
  onTestFinished(() => pausing.stop());
  const rules = (change: Partial<MachineSettings['rules']>) => settings.change({ machine: { rules: change } });
  return { pausing, rules };
}

export const running = {
  state: 'running',
  source: null,
  message: null,
  since: null,
  until: null,
  overruled: [],
};
export const pauseMessage = (pausing: Pausing): string => pausing.state().message ?? pausing.state().state;
export const use = (fields: Partial<OthersUse>): OthersUse => ({
  index: 0,
  utilPercent: 0,
  memoryBytes: 0,
  names: [],
  ...fields,
});
