import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lane, LaneSpan } from '#contract/local/log.ts';
import { layoutLanes, ticksOf } from './laneLayout.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const at = (ms: number): string => new Date(START + ms).toISOString();
const window = { from: START, to: START + 100_000 };

const span = (state: LaneSpan['state'], from: number, to: number | null, ...jobIds: string[]): LaneSpan => ({
  state,
  from: at(from),
  to: to === null ? null : at(to),
  jobIds,
});
const lane = (workerId: string, spans: LaneSpan[], end: Lane['end'] = null): Lane => ({
  workerId,
  endpointId: 'e',
  spans,
  end,
});

describe('lanes', () => {
  it('lie where their times are, in hundredths of the window', () => {
    const [placed] = layoutLanes(
      [lane('w', [span('starting', 10_000, 20_000), span('idle', 20_000, 50_000), span('running', 50_000, null, 'j')])],
      window,
    );
    expect(placed?.spans.map(({ state, left, width }) => [state, left, width])).toEqual([
      ['starting', 10, 10],
      ['idle', 20, 30],
      ['running', 50, 50],
    ]);
    expect(placed?.spans.at(-1)).toMatchObject({ to: null, jobIds: ['j'] });
  });

  it('are cut at the edges of the window, and left out where they lie beyond', () => {
    const placed = layoutLanes(
      [lane('before', [span('idle', -20_000, -10_000)]), lane('across', [span('idle', -50_000, 200_000)])],
      window,
    );
    expect(placed.map(({ workerId, spans }) => [workerId, spans[0]?.left, spans[0]?.width])).toEqual([
      ['across', 0, 100],
    ]);
  });

  it('draw neighbours that are too narrow as one, which knows of all their jobs', () => {
    const many = Array.from({ length: 1000 }, (_, i) =>
      span(i % 2 ? 'idle' : 'running', i * 100, i * 100 + 100, `j${i}`),
    );
    const spans = layoutLanes([lane('w', many)], window)[0]?.spans ?? [];
    expect(spans.length).toBeLessThan(200);
    expect(spans.reduce((sum, one) => sum + one.spans, 0)).toBe(1000);
    expect(spans.flatMap(({ jobIds }) => jobIds)).toHaveLength(1000);
  });

  it('show workers that are there first, then those that are gone, the newest first', () => {
    const end = { at: at(90_000), reason: 'idle', unhealthy: false };
    const placed = layoutLanes(
      [
        lane('gone', [span('idle', 50_000, 90_000)], end),
        lane('old', [span('idle', 10_000, null)]),
        lane('new', [span('idle', 60_000, null)]),
      ],
      window,
    );
    expect(placed.map(({ workerId }) => workerId)).toEqual(['new', 'old', 'gone']);
    expect(placed[2]?.end).toMatchObject({ left: 90, reason: 'idle' });
  });

  it('stay within the window whatever the times are', () => {
    const moment = fc.integer({ min: -200_000, max: 300_000 });
    fc.assert(
      fc.property(fc.array(fc.tuple(moment, moment), { maxLength: 30 }), (pairs) => {
        const times = pairs.flat().sort((a, b) => a - b);
        const spans = times.slice(1).map((to, i) => span('idle', times[i] ?? 0, to));
        for (const { left, width } of layoutLanes([lane('w', spans)], window)[0]?.spans ?? []) {
          expect(left).toBeGreaterThanOrEqual(0);
          expect(width).toBeGreaterThan(0);
          expect(left + width).toBeLessThanOrEqual(100.0001);
        }
      }),
    );
  });
});

describe('the axis', () => {
  it('has round moments, no more than there is room for', () => {
    const ticks = ticksOf({ from: START + 7_000, to: START + 307_000 }, 6);
    expect(ticks.map((tick) => tick.at - START)).toEqual([60_000, 120_000, 180_000, 240_000, 300_000]);
    expect(ticks[0]?.left).toBeCloseTo(17.67, 1);
  });
});
