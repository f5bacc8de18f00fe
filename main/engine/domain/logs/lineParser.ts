/** Parses the lines of workers: their level and their job. Also decides which lines match a filter. */
import {
  logLevels,
  type LogFilter,
  type LogLevel,
  type LogLine,
  type LogPage,
  type LogQuery,
} from '#contract/local/log.ts';
import type { Cancel } from '../core/ports.ts';

export interface ReadLine {
  text: string;
  level: LogLevel | null;
  /** The job id in the line; null where it has none. */
  jobId: string | null;
}

const JOB_ID_LENGTH = 200;

const levelsByName: Readonly<Record<string, LogLevel>> = {
  TRACE: 'debug',
  DEBUG: 'debug',
  INFO: 'info',
  NOTICE: 'info',
  WARN: 'warn',
  WARNING: 'warn',
  ERROR: 'error',
  CRITICAL: 'error',
  FATAL: 'error',
};
const NAMES = Object.keys(levelsByName).join('|');

/** `ERROR: …`, `[warn] …`, `INFO   | …`, `WARNING:root:…`, also after a time and the name of a logger. */
const leading = new RegExp(
  `^(?:[[(]?\\d{4}-\\d\\d-\\d\\d[T ][\\d:.,+Z]*[\\])]?[ |-]*)?(?:[\\w.]{1,80} - )?(?:\\[ *(${NAMES}) *\\]|(${NAMES})(?= *[:|\\-\\]] ?|\\s|$))`,
);
const leadingLower = new RegExp(`^(?:\\[(${NAMES})\\]|(${NAMES}):)`, 'i');
/** `ValueError: …` of Python, `TypeError [CODE]: …` of Node. */
const thrown = /^(?:Uncaught )?(?:[\w.]*\.)?(?:[A-Z]\w*)?(?:Error|Exception|Interrupt)(?: \[\w+\])?(?::|$)/;
/** `/app/x.py:3: UserWarning: …`. */
const pythonWarning = /^\S+:\d+: \w*Warning: /;
const traceback = /^(?:Traceback \(most recent call last\):|\s*\S*:\d+:\d+: error: )/;
/** The format of the SDK for plain text: `INFO   | job | message`. */
const sdkPlain = /^[A-Z]+ *\| ([\w-]{6,200}) \| /;

/** The level that a line of output names by itself; null where it names none. */
export function levelOfLine(text: string): LogLevel | null {
  if (text === '' || text.charCodeAt(0) <= 32) return null;
  const named = leading.exec(text) ?? leadingLower.exec(text);
  if (named) return levelsByName[(named[1] ?? named[2] ?? '').toUpperCase()] ?? null;
  if (traceback.test(text) || thrown.test(text)) return 'error';
  return pythonWarning.test(text) ? 'warn' : null;
}

/** Parses a line of the public SDK (protocol 2.9): JSON with requestId, message and level. Null for any other line. */
function readSdkLine(text: string): ReadLine | null {
  if (!text.startsWith('{') || !text.endsWith('}') || !text.includes('"message"')) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The line has braces but is no JSON: treat it as plain text.
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { requestId, message, level }: { requestId?: unknown; message?: unknown; level?: unknown } = value;
  if (typeof message !== 'string' || requestId === undefined) return null;
  return {
    text: message,
    level: typeof level === 'string' ? (levelsByName[level.trim().toUpperCase()] ?? null) : null,
    jobId: typeof requestId === 'string' && requestId !== '' ? requestId.slice(0, JOB_ID_LENGTH) : null,
  };
}

/**
 * Creates a parser for the lines of one stream, in their order. Lines of a traceback get the level of the traceback.
 */
export function createLineReading(): (text: string) => ReadLine {
  let within: 'traceback' | 'frames' | null = null;

  return (text) => {
    const sdk = readSdkLine(text);
    if (sdk) {
      within = null;
      return sdk;
    }
    const indented = /^\s+\S/.test(text);
    const frame = within === 'frames' ? /^\s+at |^\s+\[cause\]|^\s*\}/.test(text) : within !== null && indented;
    if (frame) return { text, level: 'error', jobId: null };
    // The line after the frames of a traceback is its error message.
    const last = within === 'traceback' && text !== '';
    const level = levelOfLine(text) ?? (last ? 'error' : null);
    if (text.startsWith('Traceback ')) within = 'traceback';
    else within = level === 'error' && thrown.test(text) ? 'frames' : null;
    return { text, level, jobId: sdkPlain.exec(text)?.[1] ?? null };
  };
}

/** Creates the predicate that tells whether a line matches the filter. */
export function lineFilter(filter: LogFilter): (line: LogLine) => boolean {
  const { endpointId, workerId, jobId, level } = filter;
  const text = filter.text?.toLowerCase();
  const least = level === undefined ? -1 : logLevels.indexOf(level);
  return (line) =>
    (endpointId === undefined || line.endpointId === endpointId) &&
    (workerId === undefined || line.workerId === workerId) &&
    (jobId === undefined || line.jobId === jobId) &&
    (least === -1 || (line.level !== null && logLevels.indexOf(line.level) >= least)) &&
    (text === undefined || line.text.toLowerCase().includes(text));
}

/** Lines that match a filter, and the position up to which they were searched. */
export interface LogBatch {
  lines: { n: number; json: string }[];
  /** The number of the last line that was searched. */
  through: number;
}

/** Reads what workers wrote. */
export interface LogBook {
  page(query: LogQuery): Promise<LogPage>;
  /** The number of the newest line; 0 when there is none. */
  newest(): number;
  /** Reads one batch of lines after number `n`, oldest first. `through` is `n` when no line is newer. */
  readAfter(n: number, filter: LogFilter): Promise<LogBatch>;
  /** Calls `listener` when new lines exist. */
  onLines(listener: () => void): Cancel;
}
