/** Where the runs of a container begin in its log, from the events of its Pod. */
import type { PodEvent, PodEventKind } from '#contract/local/podEvent.ts';
import type { LogMark } from '../../ui/log/logLines.ts';
import { formatStamp } from '../../ui/text/format.ts';
import { t } from '../../language/text.ts';

/** What a person or a time did before a start, in words that end the sentence. */
const causes: Partial<Record<PodEventKind, string>> = {
  resumed: t`after a stop`,
  restarted: t`after a restart`,
  reset: t`after a reset`,
  changed: t`after a change of its settings`,
};

const US_PER_MS = 1000;

/** The container engine notes a start up to so many milliseconds after the first output. */
const LATE_MS = 250;

/**
 * `afterAt`: a moment between the output of the run before and that of this one, in milliseconds since the epoch. `after`: why
 * the run began.
 */
function markOf(startedAt: string, afterAt: number, start: string, after: string | null): LogMark {
  // The number of a line is its time in microseconds; no line has this one.
  const n = afterAt * US_PER_MS - 0.5;
  const words = (...parts: string[]) => [...parts, ...(after === null ? [] : [after])].join(', ');
  return {
    n,
    at: startedAt,
    endpointId: '',
    workerId: '',
    jobId: null,
    stream: 'engine',
    level: null,
    text: words(start, formatStamp(Date.parse(startedAt))),
    fileText: words(start),
  };
}

function again({ n, startedAt, endedAt, exitCode }: NonNullable<PodEvent['runs']>[number]): LogMark {
  const after = exitCode === null ? null : t`after exit code ${exitCode}`;
  return markOf(startedAt, Date.parse(endedAt), t`Started again, run ${n}`, after);
}

/** One line for each start but the first one of a new Pod, oldest first. `events`: oldest first. */
export function runMarks(events: readonly PodEvent[]): LogMark[] {
  const marks: LogMark[] = [];
  let end: PodEvent | null = null;
  let cause: { at: number; text: string } | null = null;
  for (const event of events) {
    const { kind, at } = event;
    if (kind === 'ended') {
      for (const run of event.runs ?? []) marks.push(again(run));
      end = event;
    } else if (kind === 'started') {
      if (end) marks.push(again({ n: end.times + 1, startedAt: at, endedAt: end.at, exitCode: end.exitCode }));
      else if (cause !== null) {
        const start = Date.parse(at);
        const afterAt = Math.max(cause.at, start - LATE_MS);
        marks.push(markOf(at, afterAt, t`Started`, cause.text));
      }
    } else {
      const text = causes[kind];
      if (text === undefined) continue;
      end = null;
      cause = { at: Date.parse(at), text };
    }
  }
  return marks;
}
