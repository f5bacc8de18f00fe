/** Rules of the charts of metrics, and of their words. */
import { describe, expect, it } from 'vitest';
import { busySums, metricsOf, sumsOf } from '../../../../test/support/page/metrics.ts';
import { chartsOf, isEmpty, summaryOf } from './charts.ts';
import { formatTime } from './text.ts';

const busy = metricsOf(busySums);
const chart = (id: string) => chartsOf(busy).find((one) => one.id === id);

describe('the charts of an endpoint', () => {
  it('are those with something to show', () => {
    expect(chartsOf(busy).map(({ id }) => id)).toEqual(['jobs', 'execution', 'delay', 'workers', 'cost']);
    expect(chartsOf(metricsOf({ workers: { mean: 1, most: 1 } })).map(({ id }) => id)).toEqual(['workers']);
    expect(chartsOf(metricsOf())).toEqual([]);
  });

  it('stack failed jobs, and those that ran out of time, on the jobs that are done', () => {
    expect(chart('jobs')?.lines).toMatchObject([
      { name: 'failed', values: [null, null, 203] },
      { name: 'done', values: [null, null, 200] },
    ]);
  });

  it('have no percentile where no job ran', () => {
    expect(chart('execution')?.lines).toMatchObject([
      { name: 'p95', values: [null, null, 9800] },
      { name: 'p50', values: [null, null, 6100] },
    ]);
  });

  it('tell the number of a span in words', () => {
    expect(chartsOf(busy).map(({ words }) => words(busy.total))).toEqual([
      '200 done, 3 failed, 1 cancelled',
      'p50 about 6.1 s, p95 about 9.8 s',
      'p50 about 12 ms, p95 about 900 ms',
      '1.4 on average, 2 at most',
      '$0.31',
    ]);
    expect(chartsOf(busy).map(({ words }) => words(sumsOf()))).toEqual(['none', 'none', 'none', 'none', 'none']);
    expect(chart('workers')?.words(sumsOf({ workers: { mean: 0.01, most: 1 } }))).toBe(
      'below 0.1 on average, 1 at most',
    );
  });
});

it.each([
  [busySums, '204 runs, 1.5 % failed, p95 about 9.8 s'],
  [{ completed: 1, execution: { p50: 3, p95: 3 } }, '1 run, none failed, p95 about 3 ms'],
  [{ completed: 1, failed: 1 }, '2 runs, 50 % failed'],
  [{ completed: 99, failed: 1 }, '100 runs, 1 % failed'],
  [{ completed: 9999, failed: 1 }, '10\u202f000 runs, below 0.1 % failed'],
])('a summary has the runs, the share that failed and the p95 of the run time: %o', (sums, words) => {
  expect(summaryOf(sumsOf(sums))).toBe(words);
});

it('a span is empty where nothing was submitted, nothing ended and no worker was there', () => {
  expect(isEmpty(sumsOf())).toBe(true);
  for (const sums of [{ accepted: 1 }, { cancelled: 1 }, { workers: { mean: 0, most: 1 } }, { cost: 0.1 }]) {
    expect(isEmpty(sumsOf(sums))).toBe(false);
  }
});

describe('times', () => {
  it('are in milliseconds below a second', () => {
    expect([0, 840.4, 999.4, 999.6, 9800].map(formatTime)).toEqual(['0 ms', '840 ms', '999 ms', '1.0 s', '9.8 s']);
  });
});
