/** The table a person reads and the JSON a program compares. */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { rangeOf, type Range } from './measuring/statistics.ts';

/** What a goal asks of a figure. */
export interface Mark {
  sign: '≥' | '≤';
  value: number;
}
export const atLeast = (value: number): Mark => ({ sign: '≥', value });
export const atMost = (value: number): Mark => ({ sign: '≤', value });

/** One line of the table. A value per round. */
export interface Figure {
  goal: string;
  what: string;
  unit: string;
  engine: readonly number[];
  /**
   * What stands beside it; the floor is then about engine ÷ peer, round by round. Without one it is about the engine's
   * own value.
   */
  peer?: { name: string; values: readonly number[] };
  /** What must hold; none for a figure that only helps to read the others. */
  floor?: Mark;
  /** What it is built to reach. */
  aim?: number;
}

export interface Line extends Figure {
  /** What the floor is about. */
  measured: Range;
  verdict: 'pass' | 'miss' | null;
}

export interface Board {
  add(figure: Figure): void;
  /** A goal that could not be measured here, and why. */
  skip(goal: string, reason: string): void;
  /** Everything so far as text. */
  text(): string;
  /** Writes everything so far as JSON; returns the file. */
  write(folder: string, facts: object): Promise<string>;
}

const meets = (value: number, { sign, value: limit }: Mark): boolean =>
  sign === '≥' ? value >= limit : value <= limit;

function lineOf(figure: Figure): Line {
  const { peer, floor } = figure;
  const measured = rangeOf(
    peer ? figure.engine.map((value, round) => value / (peer.values[round] ?? Number.NaN)) : figure.engine,
  );
  const verdict = floor === undefined ? null : meets(measured.median, floor) ? 'pass' : 'miss';
  return { ...figure, measured, verdict };
}

const rounded = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return value === 0 ? '0' : String(Number(value.toPrecision(3)));
};

const HEAD = ['goal', 'what', 'unit', 'engine', 'peer', '', 'ratio', 'min – max', 'floor', 'aim', ''];
/** The columns whose words begin at their left edge. */
const LEFT = new Set([0, 1, 2, 5, 10]);

function columns({ goal, what, unit, engine, peer, measured, floor, aim, verdict }: Line): string[] {
  const sign = floor?.sign ?? '';
  return [
    goal,
    what,
    unit,
    rounded(rangeOf(engine).median),
    peer ? rounded(rangeOf(peer.values).median) : '',
    peer?.name ?? '',
    peer ? `${rounded(measured.median)}×` : '',
    engine.length > 1 ? `${rounded(measured.min)} – ${rounded(measured.max)}` : '',
    floor ? `${sign} ${rounded(floor.value)}` : '',
    aim === undefined ? '' : `${sign} ${rounded(aim)}`,
    verdict ?? '',
  ];
}

function tableOf(lines: readonly Line[]): string {
  const rows = [HEAD, ...lines.map(columns)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const text = rows.map((row) =>
    row
      .map((cell, column) => (LEFT.has(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  text.splice(1, 0, widths.map((width) => '─'.repeat(width)).join('  '));
  return text.join('\n');
}

/** Goals of performance.md by their number, the others behind them. */
const orderOf = (goal: string): number => (/^G\d+$/.test(goal) ? Number(goal.slice(1)) : Number.MAX_SAFE_INTEGER);

export function createBoard(): Board {
  const figures: Figure[] = [];
  const skipped: { goal: string; reason: string }[] = [];
  const lines = (): Line[] => figures.map(lineOf).sort((one, other) => orderOf(one.goal) - orderOf(other.goal));

  return {
    add: (figure) => void figures.push(figure),
    skip: (goal, reason) => void skipped.push({ goal, reason }),
    text() {
      const all = lines();
      const judged = all.filter(({ verdict }) => verdict !== null);
      const missed = judged.filter(({ verdict }) => verdict === 'miss');
      const floors =
        missed.length === 0
          ? `All ${judged.length} floors hold.`
          : `${judged.length - missed.length} of ${judged.length} floors hold. Missed: ${missed.map(({ goal, what }) => `${goal} (${what})`).join(', ')}.`;
      return [
        ...(all.length > 0 ? [tableOf(all), ''] : []),
        ...skipped.map(({ goal, reason }) => `${goal} was not measured: ${reason}`),
        floors,
      ].join('\n');
    },
    async write(folder, facts) {
      const at = new Date().toISOString();
      const [cpu] = cpus();
      const machine = { node: process.version, cpu: cpu?.model ?? 'unknown', cores: cpus().length, load: loadavg() };
      await mkdir(folder, { recursive: true });
      const file = join(folder, `${at.replaceAll(/[:.]/g, '-')}.json`);
      await writeFile(file, `${JSON.stringify({ at, machine, ...facts, figures: lines(), skipped }, null, 2)}\n`);
      return file;
    },
  };
}
