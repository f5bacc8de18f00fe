/** Rules of the key that the engine seals with, over a store that can be locked. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDataKey, type DataKey } from './dataKey.ts';
import { createMemoryStore } from './memory.ts';
import { unavailable } from './secretStore.ts';
import type { StoreState } from './secrets.ts';

const NAME = 'engine/data-key';
const logger = pino({ level: 'silent' });
const locked = { trouble: 'locked', reason: 'Unlock it.' } as const;

let entries: ReturnType<typeof createMemoryStore>;
let state: StoreState;
let stateListener: ((state: StoreState) => void) | null;
let changes: number;
beforeEach(() => {
  entries = createMemoryStore();
  state = {
    kind: 'file',
    chosen: true,
    problem: null,
    keychainProblem: null,
    filePath: '',
    fileExists: true,
    entries: 0,
  };
  stateListener = null;
  changes = 0;
});

const open = async <T>(run: () => Promise<T>): Promise<T> => {
  if (state.problem !== null) throw unavailable(state.problem);
  return run();
};
function begin(): DataKey {
  const dataKey = createDataKey({
    secrets: {
      state: () => state,
      onState(listener) {
        stateListener = listener;
        return () => (stateListener = null);
      },
      get: (name) => open(() => entries.get(name)),
      set: (name, value) => open(() => entries.set(name, value)),
    },
    logger,
  });
  dataKey.onChange(() => (changes += 1));
  return dataKey;
}

/** What the store says of itself from now on, and all that follows from it. */
async function becomes(change: Partial<StoreState>, dataKey: DataKey): Promise<void> {
  state = { ...state, ...change };
  stateListener?.(state);
  if (state.problem === null) await dataKey.load();
}

describe('the data key', () => {
  it('is made once and kept: the next run hands over the same', async () => {
    const first = begin();
    await first.load();
    const { dataKey, olderDataKeys } = first.handOver();
    expect(Buffer.from(dataKey, 'base64')).toHaveLength(32);
    expect(olderDataKeys).toEqual([]);
    expect(first.outlivesRun()).toBe(true);
    await first.stop();
    const next = begin();
    await next.load();
    expect(next.handOver().dataKey).toBe(dataKey);
  });

  it('is another each run, and kept nowhere, where keys end with the run', async () => {
    state.kind = 'memory';
    const dataKey = begin();
    await dataKey.load();
    expect(dataKey.outlivesRun()).toBe(false);
    expect(await entries.get(NAME)).toBeNull();
    expect(begin().handOver().dataKey).not.toBe(dataKey.handOver().dataKey);
  });

  it('is good for the run while the store is locked; unlocked, the kept one is handed over beside that of the run', async () => {
    const existingKey = randomBytes(32).toString('base64');
    await entries.set(NAME, existingKey);
    state.problem = locked;
    const dataKey = begin();
    await dataKey.load();
    const { dataKey: ofRun, dataKeyIsKept } = dataKey.handOver();
    expect(dataKeyIsKept).toBe(false);
    expect(ofRun).not.toBe(existingKey);
    expect(dataKey.outlivesRun()).toBe(false);
    expect(await entries.get(NAME)).toBe(existingKey);
    await becomes({ problem: null }, dataKey);
    // The engine seals with that of the run until it is started again.
    expect(dataKey.outlivesRun()).toBe(false);
    expect(dataKey.handOver()).toEqual({ dataKey: existingKey, olderDataKeys: [ofRun], dataKeyIsKept: true });
    expect(dataKey.outlivesRun()).toBe(true);
    expect(changes).toBeGreaterThan(1);
  });

  it('of a run becomes the kept one where a place is chosen that has none', async () => {
    state.kind = 'memory';
    const dataKey = begin();
    await dataKey.load();
    const ofRun = dataKey.handOver().dataKey;
    await becomes({ kind: 'file' }, dataKey);
    expect(await entries.get(NAME)).toBe(ofRun);
    expect(dataKey.outlivesRun()).toBe(true);
  });

  it('that is no key is made anew', async () => {
    await entries.set(NAME, 'not a key');
    const dataKey = begin();
    await dataKey.load();
    const made = dataKey.handOver().dataKey;
    expect(Buffer.from(made, 'base64')).toHaveLength(32);
    expect(await entries.get(NAME)).toBe(made);
  });

  it('is not asked for again once it is stopped', async () => {
    const dataKey = begin();
    await dataKey.load();
    await dataKey.stop();
    expect(stateListener).toBeNull();
  });
});
