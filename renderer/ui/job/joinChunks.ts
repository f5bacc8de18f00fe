/** Stream chunks joined for reading: words run on as text, media are shown, everything else stands as JSON. */
import type { LedgerChunk } from '#contract/app/ledger.ts';
import { chunkWords } from '../output/chatText.ts';
import { isContainer } from '../output/jsonNode.ts';
import { mediaIn, readOutput, type OutputPart } from '../output/readOutput.ts';
import { indentJson, jsonString, lineJson } from './jsonText.ts';

const LINE_CHARS = 100;
/** Shorter chunks hold no media. */
const MEDIA_CHARS = 24;

export type Piece =
  | { kind: 'text' | 'json'; text: string }
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
    for (const chunk of chunks.slice(seen)) append(pieces, pieceOf(chunk.text));
    seen = chunks.length;
    return pieces;
  };
}

function pieceOf(raw: string): Piece {
  const string = jsonString(raw);
  const words = string ?? chunkWords(raw);
  if (words !== null && !hasMedia(raw)) return { kind: 'text', text: words };
  return hasMedia(raw) ? { kind: 'parts', parts: readOutput(raw) } : { kind: 'json', text: readable(raw) };
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

function append(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  if (last === undefined || last.kind === 'parts' || piece.kind === 'parts' || last.kind !== piece.kind) {
    pieces.push(piece);
    return;
  }
  pieces[pieces.length - 1] = {
    kind: last.kind,
    text: last.text + (piece.kind === 'json' ? '\n' : '') + piece.text,
  };
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
