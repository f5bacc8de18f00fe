/** The output of Pods, under /local/v1: pages of lines, and lines as they come. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import { limits } from '#contract/core/limits.ts';
import { podLogEventsQuerySchema, podLogQuerySchema, type LogLine } from '#contract/local/log.ts';
import { followPodLog, readPodPage } from '../../domain/logs/podLog.ts';
import type { Pods } from '../../domain/pods/podInterfaces.ts';
import type { Clock, Logger } from '../../domain/core/ports.ts';
import type { Api } from '../access/api.ts';
import { createEventStream } from '../http/sse.ts';
import { operation } from '../openapi/operation.ts';
import { lastEventId, lineEvents, linePage } from './logRoutes.ts';

export interface PodLogRoutesOptions {
  pods: Pick<Pods, 'output'>;
  streamLines: StreamLines;
  clock: Clock;
}

/**
 * Sends lines as server-sent events until they end or the reader leaves.
 *
 * @param eventOf Returns a line as an event with its empty last line; an empty text leaves the line out.
 */
export type StreamLines = (
  response: ServerResponse,
  open: (signal: AbortSignal) => AsyncIterable<LogLine>,
  eventOf: (line: LogLine) => string,
) => void;

export function createLineStreaming({ clock, logger }: { clock: Clock; logger: Logger }): StreamLines {
  return (response, open, eventOf) => {
    const stream = createEventStream(response);
    const leaving = new AbortController();
    const pulse = (): void => {
      stream.pulse();
      nextPulse = clock.after(limits.eventStreamPulseMs, pulse);
    };
    let nextPulse = clock.after(limits.eventStreamPulseMs, pulse);
    response.on('close', () => {
      leaving.abort();
      nextPulse();
    });
    // The reader sees at once that it is connected.
    stream.text(': following\n\n');
    stream.flush();

    async function send(): Promise<void> {
      const { signal } = leaving;
      for await (const line of open(signal)) {
        if (signal.aborted) return;
        stream.text(eventOf(line));
        stream.flush();
        if (stream.isFull()) await once(response, 'drain', { signal });
      }
      stream.end();
    }
    send().catch((error: unknown) => {
      if (!leaving.signal.aborted) logger.warn({ err: error }, 'the log of a Pod could not be read');
      // The reader connects again, and gets the reason where it lasts.
      response.destroy();
    });
  };
}

const params = z.object({ podId: z.string() });
const filters = {
  text: 'Only lines with this text; case does not count.',
  level: 'Only lines of this level or a graver one.',
};
const read = { group: 'pods', need: 'read', params, refusals: ['BAD_REQUEST', 'UNAVAILABLE'] } as const;

export function registerPodLogRoutes(api: Api, { pods, streamLines, clock }: PodLogRoutesOptions): void {
  api.get(
    '/local/v1/pods/:podId/logs',
    operation({
      ...read,
      id: 'podLogs',
      summary: 'Lists what the container of a Pod wrote: the newest lines, or those before a line.',
      querystring: podLogQuerySchema,
      query: { ...filters, ...linePage.query },
      answers: linePage.answers,
    }),
    async ({ params: { podId }, query }) => readPodPage(pods.output(podId), query, new AbortController().signal),
  );
  api.get(
    '/local/v1/pods/:podId/logs/events',
    operation({
      ...read,
      id: 'podLogEvents',
      summary:
        'Follows what the container of a Pod writes, as server-sent events, over its restarts. Last-Event-ID goes on where an earlier reading ended.',
      querystring: podLogEventsQuerySchema,
      query: { ...filters, ...lineEvents.query },
      answers: lineEvents.answers,
    }),
    (request, reply) => {
      const { after, ...filter } = request.query;
      const output = pods.output(request.params.podId);
      const from = lastEventId(request.raw) ?? after ?? clock.now() * 1000;
      reply.hijack();
      streamLines(
        reply.raw,
        (signal) => followPodLog(output, from, filter, signal),
        (line) => `id: ${line.n}\ndata: ${JSON.stringify(line)}\n\n`,
      );
    },
  );
}
