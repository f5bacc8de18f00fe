/** Saves a text that arrives in pieces as a file of the person. */
import { saveFile } from './saveFile.ts';

/** This many pieces are joined into one Blob, which the browser stores on disk if it is large. */
const TOGETHER = 64;

const types = { jsonl: 'application/jsonl', csv: 'text/csv' } as const;
export type PieceFormat = keyof typeof types;

/** Calls `onProgress` with the number of jobs so far. `name`: without its extension. Returns the number of all jobs. */
export async function savePieces(
  pieces: AsyncIterable<{ text: string; jobs: number }>,
  format: PieceFormat,
  name: string,
  onProgress: (jobs: number) => void = () => undefined,
): Promise<number> {
  let parts: Blob[] = [];
  let jobs = 0;
  for await (const piece of pieces) {
    parts.push(new Blob([piece.text]));
    if (parts.length === TOGETHER) parts = [new Blob(parts)];
    ({ jobs } = piece);
    onProgress(jobs);
  }
  saveFile(new Blob(parts, { type: types[format] }), `${name}.${format}`);
  return jobs;
}
