/** Metrics of an endpoint as the app answers them to the page. */
import type { ShownMetrics, ShownSums } from '#contract/app/endpointReadModels.ts';
import type { MetricPeriod, MetricSumsAnswer } from '#contract/local/metrics.ts';

export const sumsOf = (change: Partial<MetricSumsAnswer> = {}): MetricSumsAnswer & ShownSums => ({
  accepted: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  timedOut: 0,
  delay: null,
  execution: null,
  workers: { mean: 0, most: 0 },
  cost: 0,
  executionMs: null,
  ...change,
});

/** Of the endpoint `e`: three minutes, of which the last has these sums. */
export const metricsOf = (sums: Partial<ShownSums> = {}, period: MetricPeriod = '24h'): ShownMetrics => ({
  endpointId: 'e',
  period,
  from: '2026-01-05T12:00:00.000Z',
  to: '2026-01-05T12:02:30.000Z',
  stepMs: 60_000,
  ledger: null,
  total: { ...sumsOf(), ...sums },
  points: [{}, {}, sums].map((point, minute) => ({
    ...sumsOf(),
    ...point,
    at: `2026-01-05T12:0${minute}:00.000Z`,
  })),
});

/** The sums of a busy time. */
export const busySums: Partial<MetricSumsAnswer> = {
  accepted: 204,
  completed: 200,
  failed: 2,
  timedOut: 1,
  cancelled: 1,
  delay: { p50: 12, p95: 900 },
  execution: { p50: 6100, p95: 9800 },
  workers: { mean: 1.44, most: 2 },
  cost: 0.31,
};

/** The same as an account has them that does not report metrics: from two jobs in the ledger. */
export const seenMetricsOf = (ledger: Partial<NonNullable<ShownMetrics['ledger']>> = {}): ShownMetrics => ({
  ...metricsOf({
    accepted: 2,
    completed: 2,
    execution: { p50: 6100, p95: 9800 },
    executionMs: 16_000,
    workers: null,
    cost: null,
  }),
  ledger: { jobs: 2, unaccepted: 0, isOldHangar: false, since: null, ...ledger },
});
