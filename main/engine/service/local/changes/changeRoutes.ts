/** Changes of the state of the engine as they come, under /local/v1. */
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import { changeKinds, CHANGES_PULSE_MS, stateChangeSchema } from '#contract/local/changes/stateChange.ts';
import { createWaitingChanges } from '#contract/local/changes/waitingChanges.ts';
import type { Changes } from '../../../domain/core/changes.ts';
import type { Clock } from '../../../domain/core/ports.ts';
import type { Api } from '../../access/api.ts';
import { createEventStream } from '../../http/sse.ts';
import { named, operation } from '../../openapi/operation.ts';

interface ChangeParts {
  changes: Pick<Changes, 'follow'>;
  clock: Pick<Clock, 'after'>;
}

/** Sends the changes until the reader leaves. Several changes of the same while the reader is behind are one event. */
function sendChanges(response: ServerResponse, { changes, clock }: ChangeParts): void {
  const stream = createEventStream(response);
  const waiting = createWaitingChanges();
  let sent = 0;
  function send(): void {
    if (stream.isFull()) return;
    for (const change of waiting.take()) stream.text(`id: ${++sent}\ndata: ${JSON.stringify(change)}\n\n`);
    stream.flush();
  }
  const pulse = (): void => {
    stream.pulse();
    nextPulse = clock.after(CHANGES_PULSE_MS, pulse);
  };
  let nextPulse = clock.after(CHANGES_PULSE_MS, pulse);
  const leave = changes.follow((changed) => {
    changed.forEach(waiting.add);
    send();
  });
  response.on('drain', send);
  response.on('close', () => {
    leave();
    nextPulse();
  });
  // The reader does not know what changed before.
  waiting.add({ about: 'all', id: null, kinds: changeKinds.filter((kind) => kind !== 'all') });
  send();
}

export function registerChangeRoutes(api: Api, parts: ChangeParts): void {
  api.get(
    '/local/v1/changes',
    operation({
      id: 'changes',
      group: 'engine',
      need: 'read',
      summary:
        'Follows changes of endpoints with their jobs and workers, of their folders, of Pods, pausing, templates, volumes, credentials, API keys and settings, as server-sent events. The first event is about all: read everything.',
      querystring: z.strictObject({}),
      answers: {
        200: {
          words: 'Events. Each names what has changed or is gone; its state is read by the other operations.',
          shape: named('StateChange', stateChangeSchema),
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
