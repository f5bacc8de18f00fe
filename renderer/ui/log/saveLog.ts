/** Saves a whole log as a text file, which arrives in pieces. */
import type { WholeLogEvent } from '#contract/app/endpointReadModels.ts';
import { limits } from '#contract/core/limits.ts';
import { podLogFiles, type LogGap, type LogLine } from '#contract/local/log.ts';
import { ORPCError } from '../../client/transport/orpc.ts';
import { counted, t } from '../../language/text.ts';
import { saveFile } from '../files/saveFile.ts';
import { formatBytes, formatCount } from '../text/format.ts';
import { createMarker, lineText, plain, type LogMark } from './logLines.ts';

/** This many pieces are joined into one Blob, which the browser stores on disk if it is large. */
const TOGETHER = 64;

export interface SavedLog {
  /** Of the file. */
  name: string;
  lines: number;
  bytes: number;
  /** What the log lacks, as a sentence; null if it lacks nothing. */
  missing: string | null;
}

function wordsOf(gap: LogGap | null): string | null {
  if (gap === null) return null;
  const { megabytes, most } = podLogFiles;
  const words: Record<LogGap, string> = {
    pod: t`Older lines may be missing: Docker keeps the newest ${megabytes * (most - 1)} to ${megabytes * most} MB of what a Pod writes.`,
    workers: t`Older lines may be missing: the engine keeps the newest ${formatBytes(limits.log.storedBytes)} of what all workers write, and has removed older lines.`,
    service: t`Older lines may be missing: the service gives only the newest ones of a log.`,
  };
  return words[gap];
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** The local date and time, as they may stand in the name of a file. */
function fileTime(now: Date): string {
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(twoDigits).join('-');
  return `${day} ${[now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits).join('.')}`;
}

/**
 * Each line of the file has its time in UTC. What is missing stands in the first line, and `marks` between the others.
 * `onLines` is called with the number of lines so far. Rejects if the log cannot be read to its end; then nothing is
 * saved.
 */
export async function saveLog(
  events: AsyncIterable<WholeLogEvent>,
  label: string,
  marks: readonly LogMark[],
  onLines: (lines: number) => void,
): Promise<SavedLog> {
  let parts: Blob[] = [];
  let lines = 0;
  let gap: LogGap | null | undefined;
  const marker = createMarker(marks);
  const textOf = (some: readonly LogLine[]) => new Blob(some.map((line) => `${lineText(plain(line))}\n`));
  for await (const event of events) {
    if ('gap' in event) {
      ({ gap } = event);
      continue;
    }
    parts.push(textOf(marker.add(event.lines)));
    if (parts.length === TOGETHER) parts = [new Blob(parts)];
    lines += event.lines.length;
    onLines(lines);
  }
  if (gap === undefined) {
    throw new ORPCError('UNAVAILABLE', { message: t`The log was not read to its end. Nothing was saved. Try again.` });
  }
  const missing = wordsOf(gap);
  const file = new Blob([...(missing === null ? [] : [`# ${missing}\n`]), ...parts, textOf(marker.rest())], {
    type: 'text/plain',
  });
  const name = `${label} ${fileTime(new Date())}.txt`;
  saveFile(file, name);
  return { name, lines, bytes: file.size, missing };
}

/** What was saved, as a sentence. */
export const savedWords = ({ name, lines, bytes }: SavedLog): string =>
  t`${name}: ${counted(lines, '{0} line', '{0} lines', formatCount(lines))}, ${formatBytes(bytes)}.`;
