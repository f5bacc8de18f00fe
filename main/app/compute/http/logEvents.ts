/** Reads log lines from a stream of server-sent events. Each line contains its number. */
import { logLineSchema, type LogLine } from '#contract/local/log.ts';
import { readJson } from './parsers.ts';
import { readEvents } from './serverEvents.ts';

export async function* readLogEvents(pieces: AsyncIterable<string>): AsyncGenerator<LogLine, void, void> {
  for await (const text of readEvents(pieces)) yield readJson('logs/events', text, logLineSchema);
}
