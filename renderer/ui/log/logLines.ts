/** The log lines of the page: a limited number, of which a filter hides some. */
import { logLevels, type LogLevel, type LogLine } from '#contract/local/log.ts';

/** Most lines of a page; the disk has more. */
export const BUFFERED_LINES = 50_000;
/** Removed at once: moving all lines for every new line would be too expensive. */
const DROPPED_LINES = 5_000;

/** Terminal codes for colours and cursor movement. */
const terminalCodes = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;

/** A line without terminal codes. */
export const plain = (line: LogLine): LogLine =>
  line.text.includes('\u001b') ? { ...line, text: line.text.replace(terminalCodes, '') } : line;

/** Adds new lines, and removes the oldest ones above the limit. Known lines are not added again. */
export function appendLines(lines: readonly LogLine[], came: readonly LogLine[]): readonly LogLine[] {
  const last = lines.at(-1)?.n ?? -1;
  const fresh = came.filter(({ n }) => n > last).map(plain);
  if (fresh.length === 0) return lines;
  const all = [...lines, ...fresh];
  return all.length > BUFFERED_LINES ? all.slice(-(BUFFERED_LINES - DROPPED_LINES)) : all;
}

/** Adds older lines in front, up to the limit. */
export function prependLines(lines: readonly LogLine[], older: readonly LogLine[]): readonly LogLine[] {
  const first = lines[0]?.n ?? Infinity;
  const room = Math.max(0, BUFFERED_LINES - lines.length);
  const fitting = room === 0 ? [] : older.filter(({ n }) => n < first).slice(-room);
  return fitting.length === 0 ? lines : [...fitting.map(plain), ...lines];
}

/** A line that is no output: it says where a run of the program begins. */
export interface LogMark extends LogLine {
  /** `text` without its time of day: the text for files, whose lines begin with their time. */
  fileText: string;
}

export const isMark = (line: LogLine): line is LogMark => 'fileText' in line;

/**
 * Puts marks between the lines of a log, which come in batches. Of the marks before the first line, only the last one
 * stays: it is the run of that line. Both are in order.
 */
export function createMarker(marks: readonly LogMark[]) {
  let next: number | null = null;
  return {
    /** A batch with the marks before and between its lines. */
    add(lines: readonly LogLine[]): readonly LogLine[] {
      const [first] = lines;
      if (first === undefined || marks.length === 0) return lines;
      next ??= Math.max(
        0,
        marks.findLastIndex(({ n }) => n < first.n),
      );
      const all: LogLine[] = [];
      for (const line of lines) {
        for (let mark = marks[next]; mark !== undefined && mark.n < line.n; mark = marks[++next]) all.push(mark);
        all.push(line);
      }
      return all;
    },
    /** The marks after the last line; of a log without lines, the newest one. */
    rest: (): readonly LogMark[] => marks.slice(next ?? -1),
  };
}

/** As `createMarker`, for lines that are all here. */
export function withMarks(lines: readonly LogLine[], marks: readonly LogMark[]): readonly LogLine[] {
  if (marks.length === 0) return lines;
  const marker = createMarker(marks);
  return [...marker.add(lines), ...marker.rest()];
}

export interface LineFilter {
  /** Words that a line must contain; case does not matter. */
  text: string;
  /** This level or a more severe one; null shows every line. */
  level: LogLevel | null;
  workerId: string | null;
}

export const everyLine: LineFilter = { text: '', level: null, workerId: null };

/** A line without a level counts as information. */
const gravity = (level: LogLevel | null): number => logLevels.indexOf(level ?? 'info');

/** The filter as a predicate of a line. */
export function matcher({ text, level, workerId }: LineFilter): (line: LogLine) => boolean {
  const wanted = text.trim().toLowerCase();
  const least = level === null ? 0 : gravity(level);
  return (line) =>
    (workerId === null || line.workerId === workerId) &&
    gravity(line.level) >= least &&
    (wanted === '' || line.text.toLowerCase().includes(wanted));
}

/** Selects lines. If lines were only added since the last call, it checks only the new ones. */
export function createSelector(): (lines: readonly LogLine[], filter: LineFilter) => readonly LogLine[] {
  let before: { lines: readonly LogLine[]; filter: LineFilter; shown: readonly LogLine[] } | null = null;
  return (lines, filter) => {
    if (before?.lines === lines && before.filter === filter) return before.shown;
    const matches = matcher(filter);
    const first = lines[0]?.n ?? Infinity;
    const grew = before !== null && before.filter === filter && first >= (before.lines[0]?.n ?? Infinity);
    let shown: readonly LogLine[];
    if (before && grew) {
      const last = before.lines.at(-1)?.n ?? -1;
      const from = lines.findLastIndex(({ n }) => n <= last) + 1;
      const remaining =
        (before.shown[0]?.n ?? Infinity) < first ? before.shown.filter(({ n }) => n >= first) : before.shown;
      shown = [...remaining, ...lines.slice(from).filter(matches)];
    } else shown = lines.filter(matches);
    before = { lines, filter, shown };
    return shown;
  };
}

/** The text of a copied or saved line. Marks begin with "#", as everything in the file that is no output. */
export function lineText(line: LogLine): string {
  const { at, workerId, level, text } = line;
  if (isMark(line)) return `# ${at} ${line.fileText}`;
  return `${at} ${workerId}${level === null ? '' : ` ${level.toUpperCase()}`} ${text}`;
}

/** Splits a text at the matches: pieces alternate between outside and inside, beginning outside. */
export function splitAtMatches(text: string, search: string): string[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return [text];
  const pieces: string[] = [];
  const lower = text.toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
    pieces.push(text.slice(from, at), text.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...pieces, text.slice(from)];
}
