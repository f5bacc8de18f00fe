/** The files in the outputs of a batch, such as pictures and sounds, together as one archive. */
import type { Batch, BatchRow } from '#contract/bridge/batch/batches.ts';
import { zipOf } from '../../../client/files/zip.ts';
import { api } from '../../../client/transport/orpc.ts';
import { saveFile } from '../../../ui/files/saveFile.ts';
import { blobOf, savedName, type Media } from '../../../ui/output/media.ts';
import { readOutput } from '../../../ui/output/readOutput.ts';

const PAGE = 100;

/** What a save has found so far. */
export interface SavedFiles {
  /** Files in the archive. */
  files: number;
  /** Files of other hosts, which are not asked: a person allows each host at its picture. */
  remote: number;
  /** Rows that were read. */
  rows: number;
}

async function* rowsOf({ batchId, total }: Batch): AsyncGenerator<BatchRow> {
  const view = { onlyFailed: false, sort: null };
  for (let offset = 0; offset < total; offset += PAGE)
    yield* (await api.batches.rows({ batchId, offset, limit: PAGE, view })).rows;
}

/** The media that stand for themselves in an output. */
async function mediaOf(entryId: string): Promise<readonly Media[]> {
  const pieces: string[] = [];
  for await (const piece of await api.jobs.output({ entryId })) pieces.push(piece);
  return readOutput(pieces.join('')).flatMap((part) => ('media' in part ? part.media : []));
}

/** "input-03.png", or "input-03-2.png" for one of several; a file with a name of its own has it behind the input. */
function fileNameIn(media: Media, input: string, number: number | null): string {
  const name = savedName(media, media.type, input, number);
  return media.fileName === undefined ? name : `${input}${number === null ? '' : `-${number}`}-${name}`;
}

/** Saves the archive if it has a file. Calls `onProgress` after each row. */
export async function saveBatchFiles(batch: Batch, onProgress: (rows: number) => void): Promise<SavedFiles> {
  const saved: SavedFiles = { files: 0, remote: 0, rows: 0 };
  const digits = String(batch.total).length;
  async function* files() {
    for await (const { entryId, number, status } of rowsOf(batch)) {
      if (status === 'COMPLETED') {
        const media = await mediaOf(entryId);
        const input = `input-${String(number).padStart(digits, '0')}`;
        for (const [index, one] of media.entries()) {
          const bytes = blobOf(one);
          if (one.source.kind === 'remote') saved.remote += 1;
          if (bytes === null) continue;
          saved.files += 1;
          yield { name: fileNameIn(one, input, media.length === 1 ? null : index + 1), input: bytes };
        }
      }
      onProgress((saved.rows += 1));
    }
  }
  const archive = await zipOf(files());
  if (saved.files > 0) saveFile(archive, `hangar-${batch.tag.replace(' ', '-')}.zip`);
  return saved;
}
