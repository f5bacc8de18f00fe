/** The logs and the history of workers, under /local/v1: pages of lines, lines as they come, and states over time. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import {
  laneQuerySchema,
  laneSchema,
  logEventsQuerySchema,
  logLineSchema,
  logPageSchema,
  logQuerySchema,
} from '#contract/local/log.ts';
import type { Lanes } from '../../domain/autoscaling/workerHistory.ts';
import type { LogBook } from '../../domain/logs/lineParser.ts';
import type { Clock, Logger } from '../../domain/core/ports.ts';
import type { Api } from '../access/api.ts';
import { createLogFollowing } from './logFollower.ts';
import { named, operation } from '../openapi/operation.ts';
import { wholeNumber } from '../openapi/queryParameters.ts';

export interface LogRoutesOptions {
  logs: LogBook;
  lanes: Pick<Lanes, 'of'>;
  clock: Clock;
  logger: Logger;
}

/**
 * The number of the last event that the reader has, from the header that a browser sends when it reconnects; null
 * without it.
 */
export function lastEventId({ headers }: IncomingMessage): number | null {
  const id = headers['last-event-id'];
  if (id === undefined || id === '') return null;
  if (typeof id !== 'string' || !/^\d{1,16}$/.test(id)) {
    throw new AppError('BAD_REQUEST', `Last-Event-ID must be the id of an event, a whole number; got ${String(id)}.`);
  }
  return Number(id);
}

const { listed } = limits.log;
/** What pages of lines have in common, of workers and of Pods: the query beside the filters, and the answer. */
export const linePage = {
  query: {
    before: wholeNumber('Only lines before the one with this number.', { min: 0 }),
    limit: wholeNumber(`How many; ${listed.default} without.`, listed),
  },
  answers: {
    200: {
      words: 'The lines, oldest first, and where to go on for older ones.',
      shape: named('LogPage', logPageSchema),
    },
  },
} as const;

/** The same of lines as they come. */
export const lineEvents = {
  query: {
    after: wholeNumber('First the lines after the one with this number; without it only new ones.', { min: 0 }),
  },
  answers: {
    200: {
      words: 'Events, each with a line as its data and its number as its id.',
      shape: named('LogLine', logLineSchema),
      type: 'text/event-stream',
    },
  },
} as const;

const filters = {
  endpointId: 'Only lines of this endpoint.',
  workerId: 'Only lines of this worker.',
  jobId: 'Only lines of this job.',
  text: 'Only lines with this text; case does not count.',
  level: 'Only lines of this level or a graver one.',
};
const read = { group: 'logs', need: 'read', refusals: ['BAD_REQUEST'] } as const;

export function registerLogRoutes(api: Api, { logs, lanes, clock, logger }: LogRoutesOptions): void {
  const follow = createLogFollowing({ logs, clock, logger });

  api.get(
    '/local/v1/logs',
    operation({
      ...read,
      id: 'logs',
      summary: 'Lists what workers wrote: the newest lines, or those before a line.',
      querystring: logQuerySchema,
      query: { ...filters, ...linePage.query },
      answers: linePage.answers,
    }),
    async ({ query }) => logs.page(query),
  );
  api.get(
    '/local/v1/logs/events',
    operation({
      ...read,
      id: 'logEvents',
      summary:
        'Follows what workers write, as server-sent events. Last-Event-ID goes on where an earlier reading ended.',
      querystring: logEventsQuerySchema,
      query: { ...filters, ...lineEvents.query },
      answers: lineEvents.answers,
    }),
    (request, reply) => {
      const { after, ...filter } = request.query;
      const from = lastEventId(request.raw) ?? after ?? logs.newest();
      reply.hijack();
      // A number beyond the newest line is of another engine's log: the reader gets the lines from now on.
      follow(reply.raw, Math.min(from, logs.newest()), filter, ({ n, json }) => `id: ${n}\ndata: ${json}\n\n`);
    },
  );
  api.get(
    '/local/v1/workers/lanes',
    operation({
      ...read,
      id: 'lanes',
      summary: 'Tells what the workers of an endpoint were over time, those that have ended included.',
      querystring: laneQuerySchema,
      query: {
        endpointId: 'The endpoint; needed.',
        sinceMs: wholeNumber(`How far back, in milliseconds; ${limits.lanes.retentionMs} at most.`, { min: 0 }),
      },
      answers: {
        200: { words: 'The workers, in the order they were started.', shape: { listOf: named('Lane', laneSchema) } },
      },
    }),
    async ({ query }) => lanes.of(query.endpointId, query.sinceMs ?? limits.lanes.retentionMs),
  );
}
