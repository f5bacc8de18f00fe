/** What is measured of Pods, under /local/v1/pods: their load over time, and whether a port answers. */
import * as z from 'zod';
import {
  podMetricsQuerySchema,
  podMetricsSchema,
  podPortCheckSchema,
  podPortQuerySchema,
} from '#contract/local/podMetrics.ts';
import { defaultPeriod } from '../../domain/gpus/history/steps.ts';
import type { PodMetricsRecorder } from '../../domain/pods/metrics/metrics.ts';
import { checkPort, type PortProbe } from '../../domain/pods/ports/check.ts';
import type { Pods } from '../../domain/pods/podInterfaces.ts';
import type { Api } from '../access/api.ts';
import { named, operation } from '../openapi/operation.ts';

interface PodMeasurementRoutesOptions {
  pods: Pick<Pods, 'record' | 'reach'>;
  metrics: Pick<PodMetricsRecorder, 'of'>;
  /** Sends the request to the port of a Pod. */
  probe: PortProbe;
}

export function registerPodMeasurementRoutes(api: Api, { pods, metrics, probe }: PodMeasurementRoutesOptions): void {
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
  api.get(
    '/local/v1/pods/:podId/ports/:port/check',
    operation({
      id: 'podPortCheck',
      group: 'pods',
      need: 'read',
      summary: 'Asks the server at an http port of a Pod for a page, and tells whether it is ready.',
      params: z.object({ podId: z.string(), port: z.string() }),
      querystring: podPortQuerySchema,
      query: { path: 'The path of the page; / without.' },
      refusals: ['BAD_REQUEST'],
      answers: {
        200: {
          words: 'Whether it answered with a status below 500 within 3 seconds.',
          shape: named('PodPortCheck', podPortCheckSchema),
        },
      },
    }),
    async ({ params: { podId, port }, query: { path = '/' } }) =>
      checkPort(pods, probe, { podId, port: Number(port), path }),
  );
}
