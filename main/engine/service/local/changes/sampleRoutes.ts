/** Measured values for whoever shows them, as they are measured, under /local/v1. */
import type { ServerResponse } from 'node:http';
import { sampleEvery, sampleQuerySchema, workersSampleSchema } from '#contract/local/changes/samples.ts';
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
  clock: Pick<Clock, 'after'>;
  logger: Pick<Logger, 'debug'>;
}

interface Sampling extends Pick<SampleParts, 'clock' | 'logger'> {
  measure(): Promise<object>;
  everyMs: number;
}

/** Measures and sends now and every `everyMs`, until the reader leaves. Nothing is measured for a reader that is behind. */
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

export function registerSampleRoutes(api: Api, { machine, workers, ...parts }: SampleParts): void {
  api.get(
    '/local/v1/machine/events',
    operation({
      id: 'machineEvents',
      group: 'engine',
      need: 'read',
      summary:
        'Sends the computer with the load of its processor and GPUs now and again and again, as server-sent events.',
      querystring: sampleQuerySchema,
      query,
      answers: {
        200: {
          words: 'Events, each with the computer as it is measured then.',
          shape: named('Machine', machineSchema),
          type: 'text/event-stream',
        },
      },
      refusals: ['BAD_REQUEST'],
    }),
    ({ query: { everyMs } }, reply) => {
      reply.hijack();
      sendSamples(reply.raw, { ...parts, measure: machine, everyMs });
    },
  );
  api.get(
    '/local/v1/workers/events',
    operation({
      id: 'workerEvents',
      group: 'engine',
      need: 'read',
      summary: 'Sends the workers with what each uses now and again and again, as server-sent events.',
      querystring: sampleQuerySchema,
      query,
      answers: {
        200: {
          words: 'Events, each with all workers as they are measured then.',
          shape: named('WorkersSample', workersSampleSchema),
          type: 'text/event-stream',
        },
      },
      refusals: ['BAD_REQUEST'],
    }),
    ({ query: { everyMs } }, reply) => {
      reply.hijack();
      sendSamples(reply.raw, { ...parts, measure: async () => ({ workers: await workers() }), everyMs });
    },
  );
}
