/** Makes ZIP archives, without compression: what is large in outputs and volumes is compressed already. */
import type { InputWithMeta, InputWithSizeMeta } from 'client-zip';

/** So many bytes are joined into one Blob, which the browser stores on disk if it is large. */
const TOGETHER_BYTES = 64 * 1024 * 1024;

/** One file or folder of an archive; the name of a folder ends with a slash. */
export type ZipEntry = InputWithMeta | InputWithSizeMeta | { name: string; lastModified: Date };

/** The archive of these entries, which are read one after the other. The package for it is loaded here first. */
export async function zipOf(entries: AsyncIterable<ZipEntry>, signal: AbortSignal | null = null): Promise<Blob> {
  const { makeZip } = await import('client-zip');
  const reader = makeZip(entries, { buffersAreUTF8: true }).getReader();
  let parts: BlobPart[] = [];
  let partBytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(new Uint8Array(next.value));
    partBytes += next.value.length;
    if (partBytes < TOGETHER_BYTES) continue;
    parts = [new Blob(parts)];
    partBytes = 0;
  }
  signal?.throwIfAborted();
  return new Blob(parts, { type: 'application/zip' });
}
