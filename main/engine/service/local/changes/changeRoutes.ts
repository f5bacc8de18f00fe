/** Changes of the state of the engine as they come, under /local/v1. */
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import {
  changeKinds,
  CHANGES_PULSE_MS,
  stateChangeSchema,
  type StateChange,
} from '#contract/local/changes/stateChange.ts';
import { createWaitingChanges } from '#contract/local/changes/waitingChanges.ts';
import type { Cancel, Clock } from '../../../domain/core/ports.ts';
import type { Api } from '../../access/api.ts';
import { createEventStream } from '../../http/sse.ts';
import { named, operation } from '../../openapi/operation.ts';

interface ChangeParts {
  changes: {
    /** Every change that comes after `compared` has resolved is reported; a change before that may be missed. */
    follow(listener: (changes: readonly StateChange[]) => void): { leave: Cancel; compared: Promise<void> };
  };
  clock: Pick<Clock, 'after'>;
}

/**
 * If the first comparison takes longer, the reader is told to read everything before it and again after it, in
 * milliseconds.
 */
const FIRST_COMPARISON_MS = 1000;

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
  let hasBegun = false;
  /** The reader does not know what changed before. */
  function reportAll(): void {
    hasBegun = true;
    waiting.add({ about: 'all', id: null, kinds: changeKinds.filter((kind) => kind !== 'all') });
    send();
  }
  const { leave, compared } = changes.follow((changed) => {
    if (!hasBegun) return;
    changed.forEach(waiting.add);
    send();
  });
  const cancelEarly = clock.after(FIRST_COMPARISON_MS, reportAll);
  void compared.then(() => {
    cancelEarly();
    if (!response.closed) reportAll();
  });
  response.on('drain', send);
  response.on('close', () => {
    leave();
    cancelEarly();
    nextPulse();
  });
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
