/** Changes of Pods as they come, under /local/v1. */
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import { limits } from '#contract/core/limits.ts';
import { podChangeSchema, type PodChange } from '#contract/local/podEvent.ts';
import type { Clock } from '../../domain/core/ports.ts';
import type { Pods } from '../../domain/pods/podInterfaces.ts';
import type { Api } from '../access/api.ts';
import { createEventStream } from '../http/sse.ts';
import { named, operation } from '../openapi/operation.ts';

interface PodChangeParts {
  pods: Pick<Pods, 'onChange'>;
  clock: Pick<Clock, 'after'>;
}

/** Sends the changes until the reader leaves. Several changes of a Pod while the reader is behind are one event. */
function sendChanges(response: ServerResponse, { pods, clock }: PodChangeParts): void {
  const stream = createEventStream(response);
  const waiting = new Set<PodChange['podId']>();
  let sent = 0;
  function send(): void {
    if (stream.isFull()) return;
    for (const podId of waiting) stream.text(`id: ${++sent}\ndata: ${JSON.stringify({ podId })}\n\n`);
    waiting.clear();
    stream.flush();
  }
  const pulse = (): void => {
    stream.pulse();
    nextPulse = clock.after(limits.eventStreamPulseMs, pulse);
  };
  let nextPulse = clock.after(limits.eventStreamPulseMs, pulse);
  const leave = pods.onChange((podId) => {
    waiting.add(podId);
    send();
  });
  response.on('drain', send);
  response.on('close', () => {
    leave();
    nextPulse();
  });
  // The reader does not know what changed before.
  waiting.add(null);
  send();
}

export function registerPodChangeRoutes(api: Api, parts: PodChangeParts): void {
  api.get(
    '/local/v1/pods/events',
    operation({
      id: 'podChanges',
      group: 'pods',
      need: 'read',
      summary:
        'Follows changes of Pods, as server-sent events. The first event says that any of them may have changed: read them all.',
      querystring: z.strictObject({}),
      answers: {
        200: {
          words: 'Events, each with the id of a Pod that has changed or is gone as its data.',
          shape: named('PodChange', podChangeSchema),
          type: 'text/event-stream',
        },
      },
      refusals: ['BAD_REQUEST'],
    }),
    (_, reply) => {
      reply.hijack();
      sendChanges(reply.raw, parts);
    },
  );
}
