import { beforeEach, expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import type { LaneSpan } from '#contract/local/log.ts';
import { createFakeClock, type FakeClock } from '../../../../test/support/core/fakes.ts';
import { createLanes, type Lanes } from './workerHistory.ts';

const HOUR_MS = 3_600_000;
let clock: FakeClock;
let lanes: Lanes;
let startedAt: number;
beforeEach(() => {
  clock = createFakeClock();
  startedAt = clock.now();
  lanes = createLanes(clock);
});

function be(state: LaneSpan['state'], jobIds: string[] = [], workerId = 'w1'): void {
  lanes.changed({ workerId, endpointId: 'e1', state, jobIds, at: clock.now(), reason: null, about: [] });
}
function end(workerId = 'w1', unhealthy = false): void {
  lanes.ended({ workerId, endpointId: 'e1', at: clock.now(), reason: 'idle', unhealthy });
}
/** `state from–to jobs`, in seconds since the start. */
const spansOf = (workerId = 'w1', sinceMs = HOUR_MS): string[] => {
  const seconds = (at: string | null): string => (at === null ? '' : String((Date.parse(at) - startedAt) / 1000));
  const lane = lanes.of('e1', sinceMs).find((one) => one.workerId === workerId);
  return (lane?.spans ?? []).map(({ state, from, to, jobIds }) =>
    [state, `${seconds(from)}–${seconds(to)}`, ...jobIds].join(' '),
  );
};

it('a worker has a span for each of its states, the last of which lasts', () => {
  for (const state of ['preparing', 'starting', 'idle'] as const) {
    be(state);
    clock.advance(1000);
  }
  be('running', ['a']);
  expect(spansOf()).toEqual(['preparing 0–1', 'starting 1–2', 'idle 2–3', 'running 3– a']);
  expect(lanes.of('e1', HOUR_MS)).toMatchObject([{ workerId: 'w1', endpointId: 'e1', end: null }]);
  expect(lanes.of('e2', HOUR_MS)).toEqual([]);
});

it('jobs that follow each other, or run side by side, are one span, in the order they began', () => {
  be('running', ['a']);
  clock.advance(1000);
  be('running', ['a', 'b']);
  be('running', ['b', 'c']);
  be('idle');
  clock.advance(limits.lanes.gapMs - 1);
  be('running', ['d']);
  expect(spansOf()).toEqual(['running 0– a b c d']);
  be('idle');
  clock.advance(limits.lanes.gapMs);
  be('running', ['e']);
  expect(spansOf()).toHaveLength(3);
});

it('of very many jobs in a row the newest are told', () => {
  for (let i = 0; i <= limits.lanes.jobs; i += 1) be('running', [`j${i}`]);
  const { jobIds } = lanes.of('e1', HOUR_MS)[0]!.spans[0]!;
  expect(jobIds).toHaveLength(limits.lanes.jobs);
  expect(jobIds[0]).toBe('j1');
});

it('a worker that ended says how, until it is older than what was asked for', () => {
  be('idle');
  clock.advance(1000);
  end('w1', true);
  be('idle', [], 'w2');
  expect(spansOf()).toEqual(['idle 0–1']);
  expect(lanes.of('e1', HOUR_MS)[0]!.end).toEqual({
    at: new Date(startedAt + 1000).toISOString(),
    reason: 'idle',
    unhealthy: true,
  });
  clock.advance(5000);
  expect(lanes.of('e1', 4999).map(({ workerId }) => workerId)).toEqual(['w2']);
  expect(lanes.of('e1', 5000).map(({ workerId }) => workerId)).toEqual(['w1', 'w2']);
});

it('spans that ended before what was asked for are left out', () => {
  be('starting');
  clock.advance(1000);
  be('idle');
  clock.advance(5000);
  expect(spansOf('w1', 4000)).toEqual(['idle 1–']);
});

it('nothing is kept for longer than its time, of endpoints that are gone as well', () => {
  be('idle');
  end();
  clock.advance(limits.lanes.retentionMs + 1);
  expect(lanes.of('e1', limits.lanes.retentionMs * 10)).toEqual([]);
});

it('there are never more spans than the limit; the oldest go, and one that lasts stays', () => {
  be('idle', [], 'old');
  for (let i = 0; i < limits.lanes.spans; i += 1) {
    clock.advance(1000);
    be(i % 2 === 0 ? 'running' : 'idle', [], 'busy');
  }
  const spanCount = lanes.of('e1', limits.lanes.retentionMs).reduce((sum, { spans }) => sum + spans.length, 0);
  expect(spanCount).toBe(limits.lanes.spans);
  expect(spansOf('old')).toEqual(['idle 0–']);
  expect(spansOf('busy')[0]).toBe('idle 2–3');
});
