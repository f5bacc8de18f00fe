/** Rules of the bridge's event iterators, on a real ledger. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineStatus } from '#contract/app/account.ts';
import type { JobEvent } from '#contract/app/ledger.ts';
import type { Clock } from '../platform/clock.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { engineStatusOf } from '../../../test/support/accounts/engineStatus.ts';
import { makeLedgerFile, type LedgerFile } from '../../../test/support/ledger/ledgerFile.ts';
import { outputPieces, watchEngine, watchJob, watchLedger } from './watch.ts';

/** Pauses are over at once: what is tested is the order, not the pace. */
const clock: Clock = {
  now: () => 0,
  after(_, run) {
    queueMicrotask(run);
    return () => undefined;
  },
};
let disk: LedgerFile;
let ledger: Ledger;
let listeners = 0;
let watched: Ledger;

beforeEach(() => {
  disk = makeLedgerFile();
  ledger = disk.open();
  listeners = 0;
  watched = {
    ...ledger,
    onChange(listener) {
      listeners += 1;
      const leave = ledger.onChange(listener);
      return () => {
        listeners -= 1;
        leave();
      };
    },
  };
  add('a');
});
afterEach(() => {
  disk.remove();
  expect(listeners).toBe(0);
});

function add(entryId: string): void {
  const where = { accountId: 'a', accountName: 'A', endpointId: 'e', endpointName: 'E' };
  ledger.add({ entryId, ...where, mode: 'run', sentAt: 1 }, '{"input":{}}');
}

async function all(events: AsyncIterable<JobEvent>): Promise<JobEvent[]> {
  const seen: JobEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}
const texts = (events: JobEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'entry' ? [] : event.chunks.map(({ text }) => text)));

describe('watchJob', () => {
  const { signal } = new AbortController();

  it('sends a snapshot of an ended job and ends', async () => {
    await ledger.appendChunks('a', 1, ['1', '2']);
    await ledger.finish('a', { status: 'COMPLETED' }, '"out"');
    const events = await all(watchJob(watched, 'a', clock, signal));
    expect(events).toMatchObject([{ type: 'snapshot', entry: { status: 'COMPLETED' }, output: '"out"' }]);
    expect(texts(events)).toEqual(['1', '2']);
  });

  it('sends what comes after the snapshot in order, each chunk once, and ends with the output', async () => {
    await ledger.appendChunks('a', 1, ['0']);
    const events = watchJob(watched, 'a', clock, signal);
    const seen = [(await events.next()).value as JobEvent];
    const rest = all(events);
    for (let i = 1; i < 50; i += 1) await ledger.appendChunks('a', 1, [String(i)]);
    await ledger.finish('a', { status: 'COMPLETED' }, '"out"');
    seen.push(...(await rest));
    expect(texts(seen)).toEqual(Array.from({ length: 50 }, (_, i) => String(i)));
    expect(seen.at(-1)).toMatchObject({ type: 'entry', entry: { status: 'COMPLETED' }, output: '"out"' });
  });

  it('sends a long stream in pieces, none of it missing', async () => {
    const many = Array.from({ length: 3500 }, (_, i) => String(i));
    await ledger.appendChunks('a', 1, many);
    await ledger.finish('a', { status: 'COMPLETED' }, null);
    const events = await all(watchJob(watched, 'a', clock, signal));
    expect(events.map(({ type }) => type)).toEqual(['snapshot', 'chunks', 'chunks', 'chunks']);
    expect(texts(events)).toEqual(many);
  });

  it('sends a new snapshot when the chunks begin anew', async () => {
    await ledger.appendChunks('a', 1, ['"lost"', '"too"']);
    const events = watchJob(watched, 'a', clock, signal);
    const seen = [(await events.next()).value as JobEvent];
    const rest = all(events);
    ledger.restart('a', 1);
    await ledger.appendChunks('a', 1, ['"again"']);
    await ledger.finish('a', { status: 'COMPLETED' }, null);
    seen.push(...(await rest));
    const last = seen.findLastIndex(({ type }) => type === 'snapshot');
    expect(last).toBeGreaterThan(0);
    expect(texts(seen.slice(last))).toEqual(['"again"']);
  });

  it('shows anew the chunks that were completed at the end', async () => {
    await ledger.appendChunks('a', 1, ['1', '3']);
    const events = watchJob(watched, 'a', clock, signal);
    const seen = [(await events.next()).value as JobEvent];
    const rest = all(events);
    await ledger.finish('a', { status: 'COMPLETED' }, '[1,2,3]', { allChunks: null });
    seen.push(...(await rest));
    const last = seen.findLastIndex(({ type }) => type === 'snapshot');
    expect(texts(seen.slice(last))).toEqual(['1', '2', '3']);
  });

  it('has the size and the start of an output that is too long for an event; its pieces are all of it', async () => {
    const output = `"${'ü1'.repeat(200_000)}"`;
    const events = watchJob(watched, 'a', clock, signal, 600_001);
    const seen = [(await events.next()).value as JobEvent];
    const rest = all(events);
    await ledger.finish('a', { status: 'COMPLETED' }, output);
    seen.push(...(await rest));
    const leftOut = { bytes: 600_002, start: output.slice(0, 60_000) };
    expect(seen.at(-1)).toMatchObject({ type: 'entry', output: null, leftOut });
    expect(await all(watchJob(watched, 'a', clock, signal, 600_001))).toMatchObject([
      { type: 'snapshot', output: null, leftOut },
    ]);
    const [whole] = await all(watchJob(watched, 'a', clock, signal, 600_002));
    expect(whole).toMatchObject({ type: 'snapshot', output });
    expect(whole).not.toHaveProperty('leftOut');
    const pieces: string[] = [];
    for await (const piece of outputPieces(output, signal)) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(output);
  });

  it('ends when the entry is removed', async () => {
    const events = watchJob(watched, 'a', clock, signal);
    await events.next();
    const rest = all(events);
    ledger.update('a', { status: 'REFUSED' });
    ledger.forget(['a']);
    expect((await rest).length).toBeLessThanOrEqual(1);
  });

  it('ends when its window goes away, and leaves no listener', async () => {
    const window = new AbortController();
    const events = watchJob(watched, 'a', clock, window.signal);
    await events.next();
    const rest = all(events);
    window.abort();
    expect(await rest).toEqual([]);
  });

  it('throws NOT_FOUND for an entry that is not there', async () => {
    await expect(all(watchJob(watched, 'unknown', clock, signal))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('watchLedger', () => {
  it('sends each entry that is new or has changed in its newest state, and counts those beyond a hundred', async () => {
    const window = new AbortController();
    const changes = watchLedger(watched, clock, window.signal);
    // Job "a" is being sent.
    expect((await changes.next()).value).toEqual({ entries: [], others: 0, open: { running: 0, queued: 1 } });
    const first = changes.next();
    add('b');
    ledger.update('b', { status: 'IN_QUEUE' });
    expect((await first).value).toMatchObject({ entries: [{ entryId: 'b', status: 'IN_QUEUE' }], others: 0 });
    const second = changes.next();
    ledger.update('a', { status: 'REFUSED' });
    expect((await second).value).toMatchObject({ entries: [{ entryId: 'a', status: 'REFUSED' }] });
    const third = changes.next();
    for (let n = 0; n < 150; n++) add(`many-${n}`);
    const many = (await third).value;
    expect([many?.entries.length, many?.others]).toEqual([100, 50]);
    const last = changes.next();
    window.abort();
    expect(await last).toEqual({ done: true, value: undefined });
  });
});

it('watchLedger begins with the entries that ended from a time on, the last hundred of them, if it is asked to', async () => {
  ledger.update('a', { status: 'COMPLETED', finishedAt: 10 });
  for (let n = 0; n < 101; n++) {
    add(`b-${n}`);
    ledger.update(`b-${n}`, { status: 'FAILED', finishedAt: 20 + n });
  }
  const firstOf = async (endedSince?: number) => {
    const window = new AbortController();
    const changes = watchLedger(watched, clock, window.signal, endedSince);
    const { value } = await changes.next();
    window.abort();
    await changes.next();
    return value?.entries.map(({ entryId }) => entryId);
  };
  expect(await firstOf()).toEqual([]);
  expect(await firstOf(119)).toEqual(['b-99', 'b-100']);
  const many = await firstOf(10);
  expect([many?.[0], many?.length]).toEqual(['b-1', 100]);
});

describe('the open jobs of watchLedger', () => {
  it('stand in the first event, and in the event of each entry that changes them', async () => {
    const window = new AbortController();
    const changes = watchLedger(watched, clock, window.signal);
    expect((await changes.next()).value).toEqual({ entries: [], others: 0, open: { running: 0, queued: 1 } });
    const after = async (change: () => void) => {
      const event = changes.next();
      change();
      return (await event).value;
    };
    expect(await after(() => ledger.update('a', { status: 'IN_PROGRESS' }))).toMatchObject({
      entries: [{ entryId: 'a', status: 'IN_PROGRESS' }],
      open: { running: 1, queued: 0 },
    });
    const started = await after(() => ledger.update('a', { startedAt: 5 }));
    expect(started).toMatchObject({ entries: [{ entryId: 'a' }] });
    expect(started).not.toHaveProperty('open');
    expect(await after(() => void ledger.finish('a', { status: 'COMPLETED', finishedAt: 9 }, '1'))).toMatchObject({
      entries: [{ entryId: 'a', status: 'COMPLETED' }],
      open: { running: 0, queued: 0 },
    });
    const last = changes.next();
    window.abort();
    expect((await last).done).toBe(true);
  });
});

describe('watchEngine', () => {
  it('sends the state now, then every change in order', async () => {
    const status = (state: EngineStatus['state']): EngineStatus => engineStatusOf({ state });
    const statusListeners: ((status: EngineStatus) => void)[] = [];
    const window = new AbortController();
    let watchers = 0;
    const states = watchEngine(
      {
        status: status('ready'),
        onStatus: (listener) => (statusListeners.push(listener), () => statusListeners.splice(0)),
        watchLife: () => (watchers++, () => watchers--),
      },
      window.signal,
    );
    expect((await states.next()).value).toMatchObject({ state: 'ready' });
    expect(watchers).toBe(1);
    for (const state of ['restarting', 'ready'] as const) statusListeners[0]?.(status(state));
    expect((await states.next()).value).toMatchObject({ state: 'restarting' });
    expect((await states.next()).value).toMatchObject({ state: 'ready' });
    const last = states.next();
    window.abort();
    expect((await last).done).toBe(true);
    expect(statusListeners).toEqual([]);
    expect(watchers).toBe(0);
  });
});
