/** Rules of following log lines across batches and broken streams. */
import { describe, expect, it } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import type { LogLine } from '#contract/local/log.ts';
import type { Clock } from '../../platform/clock.ts';
import { followLogs, requirePart } from './logs.ts';

/** Pauses are over at once: what is tested is the order, not the pace. */
const clock: Clock = {
  now: () => 0,
  after(_, run) {
    queueMicrotask(run);
    return () => undefined;
  },
};

const line = (n: number): LogLine => ({
  n,
  at: '2026-01-01T00:00:00.000Z',
  endpointId: 'e',
  workerId: 'w',
  jobId: null,
  stream: 'stdout' as const,
  level: null,
  text: `line ${n}`,
});

/** A log of `count` lines whose stream breaks after every `perStream` of them, and then has nothing to tell. */
function log(count: number, perStream: number) {
  const opened: number[] = [];
  let open = 0;
  return {
    opened,
    isOpen: () => open > 0,
    async *follow(_: unknown, after: number, signal: AbortSignal) {
      opened.push(after);
      open += 1;
      try {
        for (let n = after + 1; n <= Math.min(count, after + perStream); n += 1) yield line(n);
        if (after + perStream < count) throw new AppError('UNAVAILABLE', 'The connection broke.');
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      } finally {
        open -= 1;
      }
    },
  };
}

async function take(
  events: AsyncGenerator<{ lines: LogLine[] }>,
  count: number,
): Promise<{ n: number[]; most: number }> {
  const n: number[] = [];
  let most = 0;
  for await (const { lines } of events) {
    n.push(...lines.map((one) => one.n));
    most = Math.max(most, lines.length);
    if (n.length >= count) break;
  }
  return { n, most };
}

describe('following a log', () => {
  const { signal } = new AbortController();

  it('tells every line once and in order, in batches, wherever the stream breaks', async () => {
    const source = log(5000, 1700);
    const { n, most } = await take(followLogs(source, {}, 10, clock, signal), 4990);
    expect(n).toEqual(Array.from({ length: 4990 }, (_, index) => index + 11));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(2000);
    expect(source.opened).toEqual([10, 1710, 3410]);
  });

  it('lets the stream wait for a window that is slow, and then tells the rest', async () => {
    let lastLine = 0;
    const source = {
      async *follow(_: unknown, __: number, until: AbortSignal) {
        for (let n = 1; n <= 60_000; n += 1) {
          lastLine = n;
          yield line(n);
        }
        await new Promise((resolve) => until.addEventListener('abort', resolve));
      },
    };
    const slow: Clock = { ...clock, after: (_, run) => (setImmediate(run), () => undefined) };
    const life = new AbortController();
    const events = followLogs(source, {}, 0, slow, life.signal);
    const first = await events.next();
    await expect.poll(() => lastLine).toBeGreaterThanOrEqual(20_000);
    await new Promise(setImmediate);
    expect(lastLine).toBeLessThan(23_000);
    const rest = 60_000 - (first.value?.lines.length ?? 0);
    expect((await take(events, rest)).n.at(-1)).toBe(60_000);
  });

  it('closes its stream when the window goes', async () => {
    const source = log(10, 10);
    await take(followLogs(source, {}, 0, clock, signal), 10);
    expect(source.isOpen()).toBe(false);
  });

  it('ends with the reason of a refusal', async () => {
    const refused = new AppError('FORBIDDEN', 'not with this key');
    const source = {
      async *follow() {
        throw refused;
      },
    };
    await expect(followLogs(source as never, {}, 0, clock, signal).next()).rejects.toBe(refused);
  });

  it('is refused in words where an account has none', () => {
    expect(() => requirePart({ logs: null } as never, 'logs')).toThrow(
      'This account does not report what its workers write',
    );
  });
});
