/** Answers the metrics of endpoints: the sums of a period, and of its equal parts. */
import { percentilesOf } from '#contract/core/histogram.ts';
import {
  metricParts,
  metricsFrom,
  type EndpointMetrics,
  type EndpointTotal,
  type MetricPeriod,
  type MetricSumsAnswer,
} from '#contract/local/metrics.ts';
import type { Clock } from '../core/ports.ts';
import { HOUR_MS, MINUTE_MS, type MetricsStore } from './ports.ts';
import type { MetricsRecorder } from './recorder.ts';
import { addSums, newSums, type MetricSums } from './sums.ts';

export const defaultPeriod: MetricPeriod = '24h';

export interface MetricsReport {
  of(endpointId: string, period: MetricPeriod): EndpointMetrics;
  /** The sums of each endpoint, in the order of `endpointIds`. */
  totals(endpointIds: readonly string[], period: MetricPeriod): EndpointTotal[];
}

export interface MetricsReportOptions {
  clock: Pick<Clock, 'now'>;
  store: Pick<MetricsStore, 'read'>;
  recorder: Pick<MetricsRecorder, 'unstored'>;
  /** Counts the cost of all workers up to now. */
  countCosts(): void;
}

const rounded = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

/** `ms`: the length of the span. */
function answerOf(sums: MetricSums, ms: number): MetricSumsAnswer {
  const { accepted, completed, failed, cancelled, timedOut } = sums;
  return {
    accepted,
    completed,
    failed,
    cancelled,
    timedOut,
    delay: percentilesOf(sums.delay),
    execution: percentilesOf(sums.execution),
    workers: { mean: ms > 0 ? rounded(sums.workerMs / ms, 2) : 0, most: sums.workersMost },
    cost: rounded(sums.cost, 9),
  };
}

export function createMetricsReport({ clock, store, recorder, countCosts }: MetricsReportOptions): MetricsReport {
  /** The span that the parts of a period cover, and now. Milliseconds since the epoch. */
  function spanOf(period: MetricPeriod): { from: number; to: number } {
    const to = clock.now();
    return { from: metricsFrom(period, to), to };
  }

  /** Calls `take` with all sums since `from`: by the minute, or by the hour from the first whole hour on. */
  function read(
    endpointId: string,
    from: number,
    unit: 'minute' | 'hour',
    take: (at: number, sums: MetricSums) => void,
  ) {
    const firstHour = Math.ceil(from / HOUR_MS);
    const fromMinute = from / MINUTE_MS;
    const endMinute = unit === 'minute' ? Infinity : (firstHour * HOUR_MS) / MINUTE_MS;
    if (fromMinute < endMinute) {
      store.read(endpointId, 'minute', fromMinute, Math.min(endMinute, Number.MAX_SAFE_INTEGER), (minute, sums) =>
        take(minute * MINUTE_MS, sums),
      );
    }
    if (unit === 'hour') {
      store.read(endpointId, 'hour', firstHour, Number.MAX_SAFE_INTEGER, (hour, sums) => take(hour * HOUR_MS, sums));
    }
    recorder.unstored(endpointId, (minute, sums) => {
      if (minute >= fromMinute) take(minute * MINUTE_MS, sums);
    });
  }

  return {
    of(endpointId, period) {
      countCosts();
      const { stepMs, points: count } = metricParts[period];
      const { from, to } = spanOf(period);
      const points = Array.from({ length: count }, newSums);
      const total = newSums();
      read(endpointId, from, stepMs % HOUR_MS === 0 ? 'hour' : 'minute', (at, sums) => {
        addSums(total, sums);
        const point = points[Math.floor((at - from) / stepMs)];
        // A clock that was set back leaves sums of the future.
        if (point) addSums(point, sums);
      });
      return {
        endpointId,
        period,
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        stepMs,
        total: answerOf(total, to - from),
        points: points.map((sums, index) => {
          const at = from + index * stepMs;
          return { at: new Date(at).toISOString(), ...answerOf(sums, Math.min(stepMs, to - at)) };
        }),
      };
    },

    totals(endpointIds, period) {
      countCosts();
      const { from, to } = spanOf(period);
      return endpointIds.map((endpointId) => {
        const total = newSums();
        read(endpointId, from, 'hour', (_at, sums) => addSums(total, sums));
        return { endpointId, total: answerOf(total, to - from) };
      });
    },
  };
}
