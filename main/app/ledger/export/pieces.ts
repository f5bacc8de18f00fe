/** Collects lines of an exported file into pieces, each of which travels to the page as one message. */
import type { ExportPiece } from '#contract/app/jobs/exportPiece.ts';
import type { Cells } from './cells.ts';

/** Most characters of one piece. */
const PIECE_LENGTH = 512 * 1024;

export interface Pieces {
  /** Adds a line, or a part of one; yields the pieces that are full. */
  add(line: string): Generator<ExportPiece, void, void>;
  countJob(): void;
  /** What is left. */
  last(): ExportPiece;
}

export function createPieces(cells: Pick<Cells, 'cut'>): Pieces {
  let text = '';
  let jobs = 0;
  const piece = (part: string): ExportPiece => ({ text: part, jobs, cutCells: cells.cut() });
  return {
    *add(line) {
      text += line;
      for (; text.length >= PIECE_LENGTH; text = text.slice(PIECE_LENGTH)) yield piece(text.slice(0, PIECE_LENGTH));
    },
    countJob() {
      jobs += 1;
    },
    last: () => piece(text),
  };
}
