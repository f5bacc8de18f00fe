/** Stream chunks joined for reading: strings run on as text, everything else stands as JSON. */
import type { LedgerChunk } from '#contract/app/ledger.ts';
import { indentJson, jsonString, lineJson } from './jsonText.ts';

const LINE_CHARS = 100;

export interface Piece {
  kind: 'text' | 'json';
  text: string;
}

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
    for (const chunk of chunks.slice(seen)) append(pieces, chunk.text);
    seen = chunks.length;
    return pieces;
  };
}

function append(pieces: Piece[], raw: string): void {
  const string = jsonString(raw);
  const piece: Piece = string === null ? { kind: 'json', text: readable(raw) } : { kind: 'text', text: string };
  const last = pieces.at(-1);
  if (last?.kind !== piece.kind) pieces.push(piece);
  else
    pieces[pieces.length - 1] = { kind: last.kind, text: last.text + (piece.kind === 'json' ? '\n' : '') + piece.text };
}

/** A stream of small objects is read as a list of lines. */
const readable = (raw: string): string => (raw.length <= LINE_CHARS ? lineJson(raw) : indentJson(raw));

/** What a finished job shows besides its chunks: nothing where its output only repeats them. */
export function resultBeside(output: string | null, chunks: readonly LedgerChunk[]): Piece | null {
  if (output === null) return null;
  if (chunks.length > 0 && repeats(output, chunks)) return null;
  const string = jsonString(output);
  return string === null ? { kind: 'json', text: indentJson(output) } : { kind: 'text', text: string };
}

function repeats(output: string, chunks: readonly LedgerChunk[]): boolean {
  const bare = (text: string) => lineJson(text);
  const list = `[${chunks.map((chunk) => chunk.text).join(',')}]`;
  // Compared by layout, not by value: cheap, and numbers keep their digits. A single chunk may come back bare.
  // A generator's job that does not gather its chunks ends with an empty list.
  return (
    bare(output) === '[]' ||
    bare(output) === bare(list) ||
    (chunks.length === 1 && bare(output) === bare(chunks[0]?.text ?? ''))
  );
}
