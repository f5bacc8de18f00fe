/** Downloads folders, or several files, as one ZIP archive. */
import type { VolumeFile } from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';
import { saveFile } from '../../ui/files/saveFile.ts';
import { pieceIn } from './reading.ts';
import { add, change, noteDone, type Place } from './transfers.ts';
import { below, filesBelow, type BelowEntry } from './tree.ts';
import { zipOf } from './zip.ts';

/** The bytes of a file, in pieces. */
async function* bytesOf(place: Place, sizeBytes: number, signal: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let from = 0; from < sizeBytes; from += limits.page.pieceBytes) {
    signal.throwIfAborted();
    yield new Uint8Array(await (await pieceIn({ ...place, sizeBytes }, from, signal)).arrayBuffer());
  }
}

/** What the archive has, with the bytes of each file when it is its turn. */
async function* contentOf(
  folder: Place,
  entries: readonly BelowEntry[],
  signal: AbortSignal,
  onBytes: (count: number) => void,
) {
  async function* readAndCount(place: Place, sizeBytes: number) {
    for await (const bytes of bytesOf(place, sizeBytes, signal)) {
      onBytes(bytes.length);
      yield bytes;
    }
  }
  for (const { path, entry } of entries) {
    signal.throwIfAborted();
    const lastModified = new Date(entry.modifiedAt);
    if (entry.kind === 'folder') yield { name: `${path}/`, lastModified };
    else {
      const input = readAndCount({ ...folder, path: below(folder.path, path) }, entry.sizeBytes);
      yield { name: path, lastModified, input };
    }
  }
}

/**
 * Downloads entries of a folder with all that is below them as the archive `name`. Links out of the volume and what is
 * no file are left out. A file that cannot be read to its end fails the whole archive.
 */
export function downloadArchive(folder: Place, entries: readonly VolumeFile[], name: string): void {
  add({ ...folder, path: below(folder.path, name) }, 'down', null, () => async ({ id }, signal) => {
    change(id, { stage: 'count' });
    const all: BelowEntry[] = [];
    for (const entry of entries) all.push(...(await filesBelow(folder, entry.name, entry, signal)));
    change(id, { stage: 'send', sizeBytes: all.reduce((total, { entry }) => total + entry.sizeBytes, 0) });
    let doneBytes = 0;
    const content = contentOf(folder, all, signal, (count) => noteDone(id, (doneBytes += count)));
    saveFile(await zipOf(content, signal), name);
  });
}
