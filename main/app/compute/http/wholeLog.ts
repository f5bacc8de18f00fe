/** Reads a log of an engine of Hangar from its oldest line to the line that is the newest at the call. */
import { AppError } from '#contract/core/errors.ts';
import { podLogFiles, type LogGap, type LogLine, type PodLogFilter } from '#contract/local/log.ts';
import type { LogsApi } from '../workers.ts';

const FILE_BYTES = podLogFiles.megabytes * 1024 * 1024;
/** The bytes of a line in a file of Docker beside its text: stream, time, and the names of the three fields. */
const BESIDE_TEXT_BYTES = 71;

/** The bytes of a line in the files of Docker, of which the engine may have cut the end. */
function storedBytes(text: string): number {
  const cut = Number(/… \[(\d+) more characters were cut\]$/.exec(text)?.[1] ?? 0);
  return Buffer.byteLength(JSON.stringify(text)) + cut + BESIDE_TEXT_BYTES;
}

/** Whether the engine has removed lines of workers: its first line ever has the number 1. */
async function hasRemovedLines(logs: Pick<LogsApi, 'follow'>, signal: AbortSignal): Promise<boolean> {
  const enough = new AbortController();
  try {
    for await (const { n } of logs.follow({}, 0, AbortSignal.any([signal, enough.signal]))) return n > 1;
    return false;
  } finally {
    enough.abort();
  }
}

/**
 * As `LogsApi.whole`. One reading from the oldest line on: pages back would read the log of a Pod once for each page.
 */
export async function* readWholeLog(
  logs: Pick<LogsApi, 'page' | 'follow'>,
  filter: PodLogFilter,
  signal: AbortSignal,
): AsyncGenerator<LogLine, LogGap | null, void> {
  const newest = (await logs.page(filter, { limit: 1 })).lines.at(-1)?.n ?? 0;
  if (newest === 0) return null;
  const gap: LogGap | null = filter.podId === undefined && (await hasRemovedLines(logs, signal)) ? 'workers' : null;
  let [reached, bytes] = [0, 0];
  for await (const line of logs.follow(filter, 0, signal)) {
    reached = line.n;
    if (reached <= newest) {
      bytes += storedBytes(line.text);
      yield line;
    }
    if (reached >= newest) break;
  }
  if (reached < newest && !signal.aborted) {
    throw new AppError('UNAVAILABLE', 'The connection broke before the newest line of the log. Save it again.');
  }
  // With fewer bytes than all files but one can hold, no file was ever replaced.
  return filter.podId !== undefined && bytes >= (podLogFiles.most - 1) * FILE_BYTES ? 'pod' : gap;
}
