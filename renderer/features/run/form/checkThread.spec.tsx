import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCheckThread, type CheckThread } from './checkThread.ts';
import type { CheckRequest } from './inputFailures.ts';

/** Far above what a quick check takes on a busy machine. */
const LIMIT_MS = 2000;
/** Needs longer than anybody waits. */
const SLOW = '^(a+)+$';

const requestOf = (pattern: string, text: string): CheckRequest => ({
  schema: { properties: { text: { pattern } } },
  isOfBody: false,
  order: ['text'],
  body: JSON.stringify({ input: { text } }),
});
const slow = requestOf(SLOW, `${'a'.repeat(60)}!`);

describe('the thread that checks inputs', () => {
  let starts: number;
  let thread: CheckThread;

  beforeEach(() => {
    starts = 0;
    thread = createCheckThread(() => {
      starts += 1;
      return new Worker(new URL('./checkWorker.ts', import.meta.url), { type: 'module' });
    }, LIMIT_MS);
  });
  afterEach(() => thread.stop());

  it('answers with what does not fit, and one thread serves all checks', async () => {
    const wrong = { steps: ['text'], keyword: 'pattern', wanted: '^b', isNone: false };
    expect(await thread.check(requestOf('^b', 'a'))).toMatchObject({ failures: [wrong] });
    expect(await thread.check(requestOf('^b', 'b'))).toMatchObject({ failures: [] });
    expect(starts).toBe(1);
  });

  it('is ended when a check takes too long, and the next check gets a new one', async () => {
    const ticks: number[] = [];
    const timer = setInterval(() => ticks.push(performance.now()), 10);
    expect(await thread.check(slow)).toBe('too-slow');
    clearInterval(timer);
    // The page goes on meanwhile.
    expect(ticks.length).toBeGreaterThan(2);
    expect(await thread.check(requestOf(SLOW, 'aaa'))).toMatchObject({ failures: [], problem: null });
    expect(starts).toBe(2);
  });

  it('checks the newest of the inputs that came meanwhile, and no other', async () => {
    const first = thread.check(slow);
    const second = thread.check(requestOf('^b', 'a'));
    const third = thread.check(requestOf('^b', 'b'));
    expect(await Promise.all([first, second, third])).toMatchObject(['too-slow', null, { failures: [] }]);
  });

  it('answers null to the checks that it was stopped at', async () => {
    const checks = [thread.check(slow), thread.check(slow)];
    thread.stop();
    expect(await Promise.all(checks)).toEqual([null, null]);
  });
});

it('A thread that cannot be loaded says so', async () => {
  const broken = createCheckThread(() => new Worker('file:///noSuchWorker.ts'));
  expect(await broken.check(slow)).toBe('unavailable');
});
