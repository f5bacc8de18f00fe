/** What workers wrote and were, under /local/v1: pages of lines, lines as they come, and lanes of states over time. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '#contract/core/errors.ts';
import { limits } from '#contract/core/limits.ts';
import { laneQuerySchema, logEventsQuerySchema, logQuerySchema } from '#contract/local/log.ts';
import type { Lanes } from '../../domain/autoscaling/workerHistory.ts';
import type { LogBook } from '../../domain/logs/lineParser.ts';
import type { Clock, Logger } from '../../domain/core/ports.ts';
import type { Api } from '../access/api.ts';
import { createLogFollowing } from './logFollower.ts';
import { needs } from '../access/routeAccess.ts';

export interface LogRoutesOptions {
  logs: LogBook;
  lanes: Pick<Lanes, 'of'>;
  clock: Clock;
  logger: Logger;
}

/** The number of the last event that the reader has seen; a browser that comes back tells it in a header. */
function lastEventId({ headers }: IncomingMessage): number | null {
  const id = headers['last-event-id'];
  if (id === undefined || id === '') return null;
  if (typeof id !== 'string' || !/^\d{1,15}$/.test(id)) {
    throw new AppError('BAD_REQUEST', `Last-Event-ID must be the id of an event, a whole number; got ${String(id)}.`);
  }
  return Number(id);
}

export function registerLogRoutes(api: Api, { logs, lanes, clock, logger }: LogRoutesOptions): void {
  const reading = needs('read');

  const follow = createLogFollowing({ logs, clock, logger });

  api.get('/local/v1/logs', { ...reading, schema: { querystring: logQuerySchema } }, async ({ query }) =>
    logs.page(query),
  );
  api.get('/local/v1/logs/events', { ...reading, schema: { querystring: logEventsQuerySchema } }, (request, reply) => {
    const { after, ...filter } = request.query;
    const from = lastEventId(request.raw) ?? after ?? logs.newest();
    reply.hijack();
    // A number that is not there yet is of another engine's log: what comes now is wanted.
    follow(reply.raw, Math.min(from, logs.newest()), filter, ({ n, json }) => `id: ${n}\ndata: ${json}\n\n`);
  });
  api.get('/local/v1/workers/lanes', { ...reading, schema: { querystring: laneQuerySchema } }, async ({ query }) =>
    lanes.of(query.endpointId, query.sinceMs ?? limits.lanes.keptMs),
  );
}
