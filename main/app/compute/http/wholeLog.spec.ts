/** Rules of reading a whole log of an engine of Hangar, and of what it lacks. */
import { describe, expect, it } from 'vitest';
import type { LogGap, LogLine, PodLogFilter } from '#contract/local/log.ts';
import { logLineOf } from '../../../../test/support/logs/logLine.ts';
import { readWholeLog } from './wholeLog.ts';

const line = (n: number, text = `line ${n}`): LogLine => logLineOf({ n, text });

/** A log whose follower gets `lines`, and then waits until it leaves, or is cut off. */
function logOf(lines: LogLine[], { newest = lines.at(-1), breaks = false } = {}) {
  const followed: PodLogFilter[] = [];
  return {
    followed,
    page: async () => ({ lines: newest === undefined ? [] : [newest], more: true, next: null }),
    async *follow(filter: PodLogFilter, after: number, signal: AbortSignal) {
      followed.push(filter);
      for (const one of lines) if (one.n > after) yield one;
      if (breaks) return;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
  };
}

async function read(logs: ReturnType<typeof logOf>, filter: PodLogFilter) {
  const reading = readWholeLog(logs, filter, new AbortController().signal);
  const lines: number[] = [];
  for (;;) {
    const next: IteratorResult<LogLine, LogGap | null> = await reading.next();
    if (next.done) return { lines, gap: next.value };
    lines.push(next.value.n);
  }
}

const pod = { podId: 'p' };

describe('a whole log', () => {
  it('ends at the line that was the newest at the call, although the log goes on', async () => {
    const lines = [line(1), line(2), line(3), line(4)];
    expect(await read(logOf(lines, { newest: line(3) }), pod)).toEqual({ lines: [1, 2, 3], gap: null });
  });

  it('ends where its newest line has gone meanwhile', async () => {
    expect((await read(logOf([line(1), line(4)], { newest: line(3) }), pod)).lines).toEqual([1]);
  });

  it('without lines is not followed', async () => {
    const logs = logOf([]);
    expect(await read(logs, pod)).toEqual({ lines: [], gap: null });
    expect(logs.followed).toEqual([]);
  });

  it('rejects where the connection breaks before its newest line', async () => {
    await expect(read(logOf([line(1)], { newest: line(2), breaks: true }), pod)).rejects.toThrow('Save it again');
  });

  it('of a Pod may lack lines from the size on at which Docker begins a third file', async () => {
    const long = (count: number) => Array.from({ length: count }, (_, at) => line(at + 1, 'x'.repeat(8000)));
    expect((await read(logOf(long(2000)), pod)).gap).toBeNull();
    expect((await read(logOf(long(3000)), pod)).gap).toBe('pod');
    const cut = [line(1, `x… [${20 * 1024 * 1024} more characters were cut]`)];
    expect((await read(logOf(cut), pod)).gap).toBe('pod');
  });

  it('of workers lacks lines where the first kept line of the engine is not its first', async () => {
    const logs = logOf([line(7), line(8)]);
    expect(await read(logs, { endpointId: 'e' })).toEqual({ lines: [7, 8], gap: 'workers' });
    // The lines of other endpoints count, too.
    expect(logs.followed).toEqual([{}, { endpointId: 'e' }]);
    expect((await read(logOf([line(1), line(2)]), {})).gap).toBeNull();
  });
});
