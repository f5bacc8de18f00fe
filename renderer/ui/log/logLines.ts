/** Lines of a log as the page holds and shows them: at most so many, of which a filter hides some. */
import { logLevels, type LogLevel, type LogLine } from '#contract/local/log.ts';

/** What a page holds; the disk keeps more. */
export const HELD_LINES = 50_000;
/** Let go of together: moving the others for every line that comes would cost more than all the rest. */
const DROPPED_LINES = 5_000;

/** Colours and cursor moves of terminals. */
const terminalCodes = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g;

const plain = (line: LogLine): LogLine =>
  line.text.includes('\u001b') ? { ...line, text: line.text.replace(terminalCodes, '') } : line;

/** Adds lines that came; the oldest go when there are too many. Lines that are there already are not added again. */
export function appendLines(held: readonly LogLine[], came: readonly LogLine[]): readonly LogLine[] {
  const last = held.at(-1)?.n ?? -1;
  const fresh = came.filter(({ n }) => n > last).map(plain);
  if (fresh.length === 0) return held;
  const all = [...held, ...fresh];
  return all.length > HELD_LINES ? all.slice(-(HELD_LINES - DROPPED_LINES)) : all;
}

/** Puts older lines before those that are held, as far as there is room. */
export function prependLines(held: readonly LogLine[], older: readonly LogLine[]): readonly LogLine[] {
  const first = held[0]?.n ?? Infinity;
  const room = Math.max(0, HELD_LINES - held.length);
  const fitting = room === 0 ? [] : older.filter(({ n }) => n < first).slice(-room);
  return fitting.length === 0 ? held : [...fitting.map(plain), ...held];
}

export interface LineFilter {
  /** Words that a line must contain; case does not count. */
  text: string;
  /** This level or a graver one; null shows every line. */
  level: LogLevel | null;
  workerId: string | null;
}

export const everyLine: LineFilter = { text: '', level: null, workerId: null };

/** A line that does not tell its level counts as information. */
const gravity = (level: LogLevel | null): number => logLevels.indexOf(level ?? 'info');

/** The filter as a question to one line. */
export function matcher({ text, level, workerId }: LineFilter): (line: LogLine) => boolean {
  const wanted = text.trim().toLowerCase();
  const least = level === null ? 0 : gravity(level);
  return (line) =>
    (workerId === null || line.workerId === workerId) &&
    gravity(line.level) >= least &&
    (wanted === '' || line.text.toLowerCase().includes(wanted));
}

/** Selects lines; where only new ones came since the last call, only those are looked at. */
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
      const kept = (before.shown[0]?.n ?? Infinity) < first ? before.shown.filter(({ n }) => n >= first) : before.shown;
      shown = [...kept, ...lines.slice(from).filter(matches)];
    } else shown = lines.filter(matches);
    before = { lines, filter, shown };
    return shown;
  };
}

/** A line as it is copied. */
export const lineText = ({ at, workerId, level, text }: LogLine): string =>
  `${at} ${workerId}${level === null ? '' : ` ${level.toUpperCase()}`} ${text}`;

/** Where the searched words stand in a text: pieces that alternate between outside and inside, beginning outside. */
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
