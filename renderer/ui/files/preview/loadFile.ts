/** Reads a file as far as its preview needs it. */
import type { VolumeFile } from '#contract/local/files.ts';
import { limits } from '#contract/core/limits.ts';
import type { OutputPart } from '../../output/readOutput.ts';
import { formatFileSize } from '../../text/format.ts';
import { readNotebook, type NotebookCell } from './notebook.ts';
import { previewOf, readText, type FileText } from './readText.ts';
import { t } from '../../../language/text.ts';

export type LoadedFile =
  | { show: 'text'; file: FileText }
  | { show: 'notebook'; cells: readonly NotebookCell[] }
  | { show: 'media'; part: OutputPart<'images' | 'players'> }
  | { show: 'nothing'; why: string };

interface FileReads {
  /** At most one piece from the beginning. */
  beginning: () => Promise<Blob>;
  /** The whole file. */
  rest: (beginning: Blob) => Promise<Blob>;
}

/** A larger medium or notebook is downloaded instead: a page holds it in memory. */
const MOST_BYTES = { media: limits.page.remoteMediaBytes, notebook: 16 * 1024 * 1024 };

const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer());

const tooLarge = (mostBytes: number): LoadedFile => ({
  show: 'nothing',
  why: t`It is too large for a preview, which has at most ${formatFileSize(mostBytes)}. Download it.`,
});

/** Rejects as the reads do. Texts of less than one piece can be changed; of a larger one the beginning is shown. */
export async function loadFile({ name, sizeBytes }: VolumeFile, { beginning, rest }: FileReads): Promise<LoadedFile> {
  const first = await beginning();
  const bytes = await bytesOf(first);
  const preview = previewOf(name, bytes);
  // A piece that is not full ends the file, also where the file was larger when it was listed.
  const isCut = first.size >= limits.page.pieceBytes;
  if (preview.show === 'nothing') {
    return {
      show: 'nothing',
      why: t`There is no preview for this type of file. Download it to open it.`,
    };
  }
  if (preview.show === 'media') {
    if (sizeBytes > MOST_BYTES.media) return tooLarge(MOST_BYTES.media);
    const { type } = preview;
    const whole = await rest(first);
    const media = [{ type, source: { kind: 'file', bytes: whole } as const, sizeBytes: whole.size }];
    return { show: 'media', part: type.kind === 'image' ? { kind: 'images', media } : { kind: 'players', media } };
  }
  if (preview.show === 'notebook') {
    if (sizeBytes > MOST_BYTES.notebook) return tooLarge(MOST_BYTES.notebook);
    const whole = await bytesOf(await rest(first));
    const cells = readNotebook(readText(whole, false).text);
    if (cells !== null) return { show: 'notebook', cells };
  }
  return { show: 'text', file: readText(bytes, isCut) };
}
