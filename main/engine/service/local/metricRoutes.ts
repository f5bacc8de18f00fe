/** Metrics of endpoints over time, under /local/v1/endpoints. */
import * as z from 'zod';
import { endpointMetricsSchema, endpointTotalSchema, metricQuerySchema } from '#contract/local/metrics.ts';
import { defaultPeriod, type MetricsReport } from '../../domain/metrics/report.ts';
import type { Endpoints } from '../../domain/resources/endpoints.ts';
import type { Api } from '../access/api.ts';
import { named, operation } from '../openapi/operation.ts';

export interface MetricRoutesOptions {
  metrics: MetricsReport;
  endpoints: Pick<Endpoints, 'get' | 'list'>;
}

const read = { group: 'engine', need: 'read', refusals: ['BAD_REQUEST'] } as const;
const query = { period: `How far back: the last hour, day, week or month; ${defaultPeriod} without.` };

export function registerMetricRoutes(api: Api, { metrics, endpoints }: MetricRoutesOptions): void {
  api.get(
    '/local/v1/endpoints/:id/metrics',
    operation({
      ...read,
      id: 'endpointMetrics',
      summary: 'Tells the jobs, delays, run times, workers and cost of an endpoint over time.',
      params: z.object({ id: z.string() }),
      querystring: metricQuerySchema,
      query,
      answers: {
        200: {
          words: 'The sums of the period, and of its parts, oldest first. Percentiles are within 3 %.',
          shape: named('EndpointMetrics', endpointMetricsSchema),
        },
      },
    }),
    async ({ params, query: { period } }) => metrics.of(endpoints.get(params.id).id, period ?? defaultPeriod),
  );
  api.get(
    '/local/v1/endpoints/metrics',
    operation({
      ...read,
      id: 'endpointTotals',
      summary: 'Tells the same sums of a period for every endpoint.',
      querystring: metricQuerySchema,
      query,
      answers: {
        200: { words: 'The endpoints.', shape: { listOf: named('EndpointTotal', endpointTotalSchema) } },
      },
    }),
    async ({ query: { period } }) =>
      metrics.totals(
        endpoints.list().map(({ id }) => id),
        period ?? defaultPeriod,
      ),
  );
}
