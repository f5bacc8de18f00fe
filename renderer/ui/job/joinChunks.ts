/** Stream chunks joined for reading: words run on as text, media are shown, everything else stands as JSON. */
import type { LedgerChunk } from '#contract/app/ledger.ts';
import { chunkWords } from '../output/chatText.ts';
import { isContainer } from '../output/jsonNode.ts';
import { mediaIn, readOutput, type OutputPart } from '../output/readOutput.ts';
import { isDense, isTable, noRows, withRow, type TableShape } from '../output/tableShape.ts';
import { indentJson, jsonString, lineJson } from './jsonText.ts';

const LINE_CHARS = 100;
/** A row of a table is no longer: its cells would be cut. */
const ROW_CHARS = 400;
/** Shorter chunks hold no media. */
const MEDIA_CHARS = 24;

/** The chunks of a piece as rows of a table, each as it came. */
export interface StreamRows {
  readonly items: readonly string[];
  readonly shape: TableShape;
}

export type Piece =
  | { kind: 'text'; text: string }
  /** `rows`: null where its chunks are no rows of one table. */
  | { kind: 'json'; text: string; rows: StreamRows | null }
  /** A chunk that holds pictures, sound, films or files. */
  | { kind: 'parts'; parts: readonly OutputPart[] };

/** Joins a list that only grows: each call reads the chunks that are new and answers all pieces. */
export function createJoiner(): (chunks: readonly LedgerChunk[]) => readonly Piece[] {
  let first: LedgerChunk | undefined;
  let seen = 0;
  let pieces: Piece[] = [];

  return (chunks) => {
    if (chunks[0] !== first || chunks.length < seen) {
      first = chunks[0];
      seen = 0;
      pieces = [];
    }
    if (chunks.length === seen) return pieces;
    pieces = [...pieces];
    for (const run of runsOf(chunks.slice(seen))) append(pieces, run);
    seen = chunks.length;
    return pieces;
  };
}

/** Chunks of one kind that follow each other. `items` as they came. */
type Run = { kind: 'text'; text: string } | { kind: 'json'; items: string[] } | Extract<Piece, { kind: 'parts' }>;

function runsOf(chunks: readonly LedgerChunk[]): Run[] {
  const runs: Run[] = [];
  for (const { text: raw } of chunks) {
    const last = runs.at(-1);
    const run = runOf(raw);
    if (last?.kind === 'text' && run.kind === 'text') last.text += run.text;
    else if (last?.kind === 'json' && run.kind === 'json') last.items.push(raw);
    else runs.push(run);
  }
  return runs;
}

function runOf(raw: string): Run {
  const words = jsonString(raw) ?? chunkWords(raw);
  if (hasMedia(raw)) return { kind: 'parts', parts: readOutput(raw) };
  return words === null ? { kind: 'json', items: [raw] } : { kind: 'text', text: words };
}

/** Single strings are media as well: the frames of a preview come so. */
function hasMedia(raw: string): boolean {
  if (raw.length < MEDIA_CHARS) return false;
  try {
    return mediaIn(isContainer(raw) ? raw : `[${raw}]`).media.length > 0;
  } catch {
    // Cut off on its way: shown as it came.
    return false;
  }
}

/** Adds a run to the last piece, if that is of the same kind. */
function append(pieces: Piece[], run: Run): void {
  const last = pieces.at(-1);
  if (run.kind === 'parts') pieces.push(run);
  else if (run.kind === 'text') {
    if (last?.kind === 'text') pieces.splice(-1, 1, { kind: 'text', text: last.text + run.text });
    else pieces.push(run);
  } else {
    const lines = run.items.map(readable).join('\n');
    if (last?.kind === 'json') {
      const rows = last.rows && withItems(last.rows, run.items);
      pieces.splice(-1, 1, { kind: 'json', text: `${last.text}\n${lines}`, rows });
    } else pieces.push({ kind: 'json', text: lines, rows: withItems({ items: [], shape: noRows }, run.items) });
  }
}

/** The rows with further ones; null if not all of them fit into one table. */
function withItems({ items, shape: before }: StreamRows, more: readonly string[]): StreamRows | null {
  let shape = before;
  for (const item of more) {
    const next = item.length > ROW_CHARS ? null : shapeWith(shape, item);
    if (next === null || !isTable(next) || !isDense(next)) return null;
    shape = next;
  }
  return { items: [...items, ...more], shape };
}

function shapeWith(shape: TableShape, item: string): TableShape | null {
  try {
    return withRow(shape, item);
  } catch {
    // Cut off on its way: shown as it came.
    return null;
  }
}

/** A stream of small objects is read as a list of lines. */
const readable = (raw: string): string => (raw.length <= LINE_CHARS ? lineJson(raw) : indentJson(raw));

/** All text of a stream, and null if it has anything else. */
export function textOfPieces(pieces: readonly Piece[]): string | null {
  let text = '';
  for (const piece of pieces) {
    if (piece.kind !== 'text') return null;
    text += piece.text;
  }
  return text;
}

/** The raw JSON that a finished job shows besides its chunks: null where its output only repeats them. */
export function resultBeside(output: string | null, chunks: readonly LedgerChunk[]): string | null {
  return output === null || (chunks.length > 0 && repeats(output, chunks)) ? null : output;
}

/** White space alone makes an output no longer than this. */
const MOST_LAYOUT = 4;

function repeats(output: string, chunks: readonly LedgerChunk[]): boolean {
  const list = `[${chunks.map((chunk) => chunk.text).join(',')}]`;
  if (output.length > list.length * MOST_LAYOUT) return false;
  const bare = (text: string) => lineJson(text);
  // Compared by layout, not by value: cheap, and numbers keep their digits. A single chunk may come back bare.
  // A generator's job that does not gather its chunks ends with an empty list.
  return (
    bare(output) === '[]' ||
    bare(output) === bare(list) ||
    (chunks.length === 1 && bare(output) === bare(chunks[0]?.text ?? ''))
  );
}
