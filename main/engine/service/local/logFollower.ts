/** Streams lines of the log as server-sent events, for as long as the reader stays. */
import type { ServerResponse } from 'node:http';
import { limits } from '#contract/core/limits.ts';
import type { LogFilter } from '#contract/local/log.ts';
import type { LogBatch, LogBook } from '../../domain/logs/lineParser.ts';
import type { Clock, Logger } from '../../domain/core/ports.ts';
import { createEventStream } from '../http/sse.ts';

export interface LogFollowingOptions {
  logs: Pick<LogBook, 'newest' | 'readAfter' | 'onLines'>;
  clock: Clock;
  logger: Logger;
}

/**
 * Sends the lines after line `from`. A slow reader gets the lines that it missed from disk.
 *
 * @param eventOf Returns a line as an event with its empty last line; an empty text leaves the line out.
 */
export type FollowLog = (
  response: ServerResponse,
  from: number,
  filter: LogFilter,
  eventOf: (line: LogBatch['lines'][number]) => string,
) => void;

export function createLogFollowing({ logs, clock, logger }: LogFollowingOptions): FollowLog {
  return (response, from, filter, eventOf) => {
    const stream = createEventStream(response);
    let n = from;
    let sending = false;
    let closed = false;

    async function send(): Promise<void> {
      while (!closed && !stream.isFull() && n < logs.newest()) {
        const { lines, through } = await logs.readAfter(n, filter);
        if (closed || through <= n) return;
        n = through;
        for (const line of lines) stream.text(eventOf(line));
        stream.flush();
      }
    }

    function poll(): void {
      if (sending || closed) return;
      sending = true;
      send().then(
        () => {
          sending = false;
          // New lines, or room for more, may have come during the last read.
          if (!closed && !stream.isFull() && n < logs.newest()) setImmediate(poll);
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
    const leave = logs.onLines(poll);
    response.on('drain', poll);
    response.on('close', () => {
      closed = true;
      leave();
      nextPulse();
    });
    // The reader sees at once that it is connected.
    stream.text(': following\n\n');
    stream.flush();
    poll();
  };
}
