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
 * Sends what comes after line `from`. A reader that is slow reads from disk what it missed.
 *
 * @param eventOf a line as an event, with the empty line that ends it; empty for one that is left out
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
    let looking = false;
    let gone = false;

    async function send(): Promise<void> {
      while (!gone && !stream.isFull() && n < logs.newest()) {
        const { lines, through } = await logs.readAfter(n, filter);
        if (gone || through <= n) return;
        n = through;
        for (const line of lines) stream.text(eventOf(line));
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
  };
}
