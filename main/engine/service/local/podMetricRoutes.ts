/** The load of Pods over time, under /local/v1/pods. */
import * as z from 'zod';
import { podMetricsQuerySchema, podMetricsSchema } from '#contract/local/podMetrics.ts';
import { defaultPeriod } from '../../domain/gpus/history/steps.ts';
import type { PodMetricsRecorder } from '../../domain/pods/metrics/metrics.ts';
import type { Pods } from '../../domain/pods/podInterfaces.ts';
import type { Api } from '../access/api.ts';
import { named, operation } from '../openapi/operation.ts';

interface PodMetricRoutesOptions {
  pods: Pick<Pods, 'record'>;
  metrics: Pick<PodMetricsRecorder, 'of'>;
}

export function registerPodMetricRoutes(api: Api, { pods, metrics }: PodMetricRoutesOptions): void {
  api.get(
    '/local/v1/pods/:podId/metrics',
    operation({
      id: 'podMetrics',
      group: 'pods',
      need: 'read',
      summary: 'Tells the load of the processor, the memory and the GPUs of a Pod over time, since the engine started.',
      params: z.object({ podId: z.string() }),
      querystring: podMetricsQuerySchema,
      query: { period: `How far back: the last 15 minutes, hour, 6 hours or day; ${defaultPeriod} without.` },
      refusals: ['BAD_REQUEST'],
      answers: {
        200: { words: 'The parts of the period, oldest first.', shape: named('PodMetrics', podMetricsSchema) },
      },
    }),
    async ({ params: { podId }, query: { period } }) => metrics.of(pods.record(podId).id, period ?? defaultPeriod),
  );
}
