/** Pulls of images that a person asks for, and their progress as it comes, under /local/v1. */
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import { limits } from '#contract/core/limits.ts';
import {
  imagePullRequestSchema,
  imagePullSchema,
  imagePullsSchema,
  type ImagePull,
  type ImagePullRequest,
} from '#contract/local/image.ts';
import type { Cancel, Clock } from '../../../domain/core/ports.ts';
import type { Api } from '../../access/api.ts';
import { createEventStream } from '../../http/sse.ts';
import { named, operation } from '../../openapi/operation.ts';

/** Pulls that a person asked for. */
interface Pulls {
  list(): ImagePull[];
  onChange(listener: () => void): Cancel;
  /** Throws NOT_FOUND for unknown credentials, UNAVAILABLE where no container engine answers. */
  start(request: ImagePullRequest): Promise<ImagePull>;
  /** Cancels it where it runs. Throws NOT_FOUND for an unknown id. */
  remove(id: string): void;
}

export interface PullRoutesOptions {
  pulls: Pulls;
  clock: Pick<Clock, 'after'>;
}

/** Shortest time between two events: a container engine reports progress up to ten times a second for each layer. */
const PACE_MS = 200;

/** Sends all pulls now and after each change, until the reader leaves. */
function sendPulls(response: ServerResponse, { pulls, clock }: PullRoutesOptions): void {
  const stream = createEventStream(response);
  let sent = 0;
  let isStale = true;
  let cancelPause: Cancel | null = null;
  function send(): void {
    if (!isStale || cancelPause !== null || stream.isFull()) return;
    isStale = false;
    stream.text(`id: ${++sent}\ndata: ${JSON.stringify({ pulls: pulls.list() })}\n\n`);
    stream.flush();
    cancelPause = clock.after(PACE_MS, () => {
      cancelPause = null;
      send();
    });
  }
  const pulse = (): void => {
    stream.pulse();
    nextPulse = clock.after(limits.eventStreamPulseMs, pulse);
  };
  let nextPulse = clock.after(limits.eventStreamPulseMs, pulse);
  const leave = pulls.onChange(() => {
    isStale = true;
    send();
  });
  response.on('drain', send);
  response.on('close', () => {
    leave();
    nextPulse();
    cancelPause?.();
  });
  send();
}

export function registerPullRoutes(api: Api, parts: PullRoutesOptions): void {
  const { pulls } = parts;
  const shape = named('ImagePull', imagePullSchema);
  api.post(
    '/local/v1/images',
    operation({
      id: 'pullImage',
      group: 'engine',
      need: 'all',
      summary:
        'Starts to pull an image, also one that is here already. The engine goes on with it when the caller leaves.',
      body: named('ImagePullRequest', imagePullRequestSchema),
      answers: { 200: { words: 'The pull, or the running one of the same image.', shape } },
      refusals: ['NOT_FOUND', 'FORBIDDEN', 'UNAVAILABLE'],
    }),
    async ({ body }) => pulls.start(body),
  );
  api.get(
    '/local/v1/images/pulls',
    operation({
      id: 'imagePulls',
      group: 'engine',
      need: 'read',
      summary: 'Lists the pulls that were asked for, the newest first: those that run, and the last that ended.',
      answers: { 200: { words: 'The pulls.', shape: { listOf: shape } } },
    }),
    () => Promise.resolve(pulls.list()),
  );
  api.get(
    '/local/v1/images/pulls/events',
    operation({
      id: 'imagePullEvents',
      group: 'engine',
      need: 'read',
      summary: 'Follows the pulls that were asked for, as server-sent events: all of them now, and after each change.',
      querystring: z.strictObject({}),
      answers: {
        200: {
          words: 'Events, each with all pulls as they are.',
          shape: named('ImagePulls', imagePullsSchema),
          type: 'text/event-stream',
        },
      },
      refusals: ['BAD_REQUEST'],
    }),
    (_, reply) => {
      reply.hijack();
      sendPulls(reply.raw, parts);
    },
  );
  api.delete(
    '/local/v1/images/pulls/:pullId',
    operation({
      id: 'removeImagePull',
      group: 'engine',
      need: 'all',
      summary: 'Cancels a pull that runs, and removes a pull from the list.',
      params: z.object({ pullId: z.string() }),
      answers: { 204: { words: 'It is gone.', shape: null } },
      refusals: ['NOT_FOUND'],
    }),
    async ({ params: { pullId } }, reply) => {
      pulls.remove(pullId);
      return reply.code(204).send();
    },
  );
}
