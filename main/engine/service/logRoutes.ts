/** What workers wrote and were, under /local/v1: pages of lines, lines as they come, and lanes of states over time. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import { laneQuerySchema, logEventsQuerySchema, logQuerySchema, type LogFilter } from '#contract/log.ts';
import type { Lanes } from '../domain/lanes.ts';
import type { LogBook } from '../domain/logLine.ts';
import type { Clock, Logger } from '../domain/ports.ts';
import { createEventStream } from './eventStream.ts';
import { needs } from './routeAccess.ts';
import type { Api } from './api.ts';

export interface LogRoutesOptions {
  logs: LogBook;
  lanes: Pick<Lanes, 'of'>;
  clock: Clock;
  logger: Logger;
}

/** The number of the last event that the reader has seen; a browser that comes back tells it in a header. */
function lastSeen({ headers }: IncomingMessage): number | null {
  const id = headers['last-event-id'];
  if (id === undefined || id === '') return null;
  if (typeof id !== 'string' || !/^\d{1,15}$/.test(id)) {
    throw new AppError('BAD_REQUEST', `Last-Event-ID must be the id of an event, a whole number; got ${String(id)}.`);
  }
  return Number(id);
}

export function registerLogRoutes(api: Api, { logs, lanes, clock, logger }: LogRoutesOptions): void {
  const reading = needs('read');

  /** Sends what comes after line `from`, for as long as the reader stays. A reader that is slow reads from disk what it missed. */
  function follow(response: ServerResponse, from: number, filter: LogFilter): void {
    const stream = createEventStream(response);
    let n = from;
    let looking = false;
    let gone = false;

    async function send(): Promise<void> {
      while (!gone && !stream.isFull() && n < logs.newest()) {
        const { lines, through } = await logs.readAfter(n, filter);
        if (gone || through <= n) return;
        n = through;
        for (const line of lines) stream.text(`id: ${line.n}\ndata: ${line.json}\n\n`);
        stream.flush();
      }
    }

    function look(): void {
      if (looking || gone) return;
      looking = true;
      send().then(
        () => {
          looking = false;
          // Lines may have come, and room, while the last reading was under way.
          if (!gone && !stream.isFull() && n < logs.newest()) setImmediate(look);
        },
        (error: unknown) => {
          logger.warn({ error }, 'the log of workers could not be read');
          response.destroy();
        },
      );
    }

    const pulse = (): void => {
      stream.pulse();
      nextPulse = clock.after(limits.eventStreamPulseMs, pulse);
    };
    let nextPulse = clock.after(limits.eventStreamPulseMs, pulse);
    const leave = logs.onLines(look);
    response.on('drain', look);
    response.on('close', () => {
      gone = true;
      leave();
      nextPulse();
    });
    // So that the reader knows at once that it is connected.
    stream.text(': following\n\n');
    stream.flush();
    look();
  }

  api.get('/local/v1/logs', { ...reading, schema: { querystring: logQuerySchema } }, async ({ query }) =>
    logs.page(query),
  );
  api.get('/local/v1/logs/events', { ...reading, schema: { querystring: logEventsQuerySchema } }, (request, reply) => {
    const { after, ...filter } = request.query;
    const from = lastSeen(request.raw) ?? after ?? logs.newest();
    reply.hijack();
    // A number that is not there yet is of another engine's log: what comes now is wanted.
    follow(reply.raw, Math.min(from, logs.newest()), filter);
  });
  api.get('/local/v1/workers/lanes', { ...reading, schema: { querystring: laneQuerySchema } }, async ({ query }) =>
    lanes.of(query.endpointId, query.sinceMs ?? limits.lanes.keptMs),
  );
}
