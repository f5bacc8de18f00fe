/** The table a person reads and the JSON a program compares. */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { rangeOf, type Range } from './statistics.ts';

/** One figure of both contenders, a value per round. */
export interface Figure {
  name: string;
  unit: string;
  engine: number[];
  bare: number[];
}

export interface Line extends Figure {
  /** Engine ÷ bare, round by round. */
  ratio: Range;
}

export const lineOf = (figure: Figure): Line => ({
  ...figure,
  ratio: rangeOf(figure.engine.map((value, round) => value / (figure.bare[round] ?? Number.NaN))),
});

const rounded = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toPrecision(3);
};

const columns = (line: Line): string[] => [
  line.name,
  line.unit,
  rounded(rangeOf(line.engine).median),
  rounded(rangeOf(line.bare).median),
  `${rounded(line.ratio.median)}×`,
  `${rounded(line.ratio.min)} – ${rounded(line.ratio.max)}`,
];

const HEAD = ['figure', 'unit', 'engine', 'bare', 'ratio', 'range over rounds'];

/** The lines as a table of plain text, medians over the rounds. */
export function tableOf(lines: Line[]): string {
  const rows = [HEAD, ...lines.map(columns)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const text = rows.map((row) =>
    row
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  text.splice(1, 0, widths.map((width) => '─'.repeat(width)).join('  '));
  return text.join('\n');
}

/** Writes the figures into a folder of results; returns the file. */
export async function writeResults(folder: string, lines: Line[], facts: object): Promise<string> {
  const at = new Date().toISOString();
  const [cpu] = cpus();
  const machine = { node: process.version, cpu: cpu?.model ?? 'unknown', cores: cpus().length };
  await mkdir(folder, { recursive: true });
  const file = join(folder, `${at.replaceAll(/[:.]/g, '-')}.json`);
  await writeFile(file, `${JSON.stringify({ at, machine, ...facts, figures: lines }, null, 2)}\n`);
  return file;
}
