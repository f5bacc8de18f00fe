/** Saves a text that arrives in pieces as a file of the person. */
import { notifications } from '@mantine/notifications';
import type { ExportPiece } from '#contract/app/jobs/exportPiece.ts';
import { counted, t } from '../../language/text.ts';
import { formatCount } from '../text/format.ts';
import { saveFile } from './saveFile.ts';

/** This many pieces are joined into one Blob, which the browser stores on disk if it is large. */
const TOGETHER = 64;

const types = { jsonl: 'application/jsonl', csv: 'text/csv' } as const;
export type PieceFormat = keyof typeof types;

/**
 * Calls `onProgress` with the number of jobs so far, and says whether something was cut. `name`: without its extension.
 * Returns the number of all jobs.
 */
export async function savePieces(
  pieces: AsyncIterable<ExportPiece>,
  format: PieceFormat,
  name: string,
  onProgress: (jobs: number) => void = () => undefined,
): Promise<number> {
  let parts: Blob[] = [];
  let jobs = 0;
  let cutCells = 0;
  for await (const piece of pieces) {
    parts.push(new Blob([piece.text]));
    if (parts.length === TOGETHER) parts = [new Blob(parts)];
    ({ jobs, cutCells } = piece);
    onProgress(jobs);
  }
  saveFile(new Blob(parts, { type: types[format] }), `${name}.${format}`);
  if (cutCells > 0) sayCut(cutCells);
  return jobs;
}

const sayCut = (cells: number): void => {
  notifications.show({
    title: t`Saved, with ${counted(cells, '{0} cell cut', '{0} cells cut', formatCount(cells))}`,
    message: t`Table programs accept no longer cells. JSON Lines has all of it.`,
    'data-tone': 'wait',
  });
};
