/** Streams of measured values under /local/v1: each value is sent when it is measured. */
import type { ServerResponse } from 'node:http';
import type { PodFacts } from '#contract/api/pod.ts';
import {
  sampleEvery,
  sampleQuerySchema,
  podsSampleSchema,
  workersSampleSchema,
} from '#contract/local/changes/samples.ts';
import type { WorkerRecord } from '#contract/local/engine.ts';
import { machineSchema, type Machine } from '#contract/local/machine.ts';
import type { Cancel, Clock, Logger } from '../../../domain/core/ports.ts';
import type { Api } from '../../access/api.ts';
import { createEventStream } from '../../http/sse.ts';
import { named, operation } from '../../openapi/operation.ts';
import { wholeNumber } from '../../openapi/queryParameters.ts';

interface SampleParts {
  machine(): Promise<Machine>;
  workers(): Promise<WorkerRecord[]>;
  pods(): Promise<PodFacts[]>;
  clock: Pick<Clock, 'after'>;
  logger: Pick<Logger, 'debug'>;
}

interface Sampling extends Pick<SampleParts, 'clock' | 'logger'> {
  measure(): Promise<object>;
  everyMs: number;
}

/**
 * Measures and sends now and every `everyMs`, until the reader leaves. Nothing is measured for a reader that is behind.
 */
export function sendSamples(response: ServerResponse, { measure, everyMs, clock, logger }: Sampling): void {
  const stream = createEventStream(response);
  let sent = 0;
  let isOver = false;
  let isMeasuring = false;
  let cancel: Cancel = () => undefined;
  async function next(): Promise<void> {
    cancel = clock.after(everyMs, () => void next());
    if (stream.isFull() || isMeasuring) return;
    isMeasuring = true;
    try {
      const sample = await measure();
      if (isOver) return;
      stream.text(`id: ${++sent}\ndata: ${JSON.stringify(sample)}\n\n`);
      stream.flush();
    } catch (error) {
      // The reader notices the end, asks, and is told the reason.
      logger.debug({ err: error }, 'a sample could not be measured');
      stream.end();
    } finally {
      isMeasuring = false;
    }
  }
  response.on('close', () => {
    isOver = true;
    cancel();
  });
  void next();
}

const query = {
  everyMs: wholeNumber(`Time from one event to the next, milliseconds; ${sampleEvery.default} without.`, sampleEvery),
};

interface SampledRoute {
  path: string;
  id: string;
  group: 'engine' | 'pods';
  summary: string;
  words: string;
  shape: ReturnType<typeof named>;
  measure(): Promise<object>;
}

export function registerSampleRoutes(api: Api, { machine, workers, pods, ...parts }: SampleParts): void {
  function serve({ path, measure, words, shape, ...about }: SampledRoute): void {
    api.get(
      path,
      operation({
        ...about,
        need: 'read',
        querystring: sampleQuerySchema,
        query,
        answers: { 200: { words, shape, type: 'text/event-stream' } },
        refusals: ['BAD_REQUEST'],
      }),
      ({ query: { everyMs } }, reply) => {
        reply.hijack();
        sendSamples(reply.raw, { ...parts, measure, everyMs });
      },
    );
  }
  serve({
    path: '/local/v1/machine/events',
    id: 'machineEvents',
    group: 'engine',
    summary:
      'Sends the computer with the load of its processor and GPUs now and again and again, as server-sent events.',
    words: 'Events, each with the computer as it is measured then.',
    shape: named('Machine', machineSchema),
    measure: machine,
  });
  serve({
    path: '/local/v1/workers/events',
    id: 'workerEvents',
    group: 'engine',
    summary: 'Sends the workers with what each uses now and again and again, as server-sent events.',
    words: 'Events, each with all workers as they are measured then.',
    shape: named('WorkersSample', workersSampleSchema),
    measure: async () => ({ workers: await workers() }),
  });
  serve({
    path: '/local/v1/pods/events',
    id: 'podSamples',
    group: 'pods',
    summary: 'Sends what each Pod does, with its load, now and again and again, as server-sent events.',
    words: 'Events, each with the facts of all Pods as they are then.',
    shape: named('PodsSample', podsSampleSchema),
    measure: async () => ({ pods: await pods() }),
  });
}
