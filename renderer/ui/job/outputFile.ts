/** An output as a text that is copied, and as a file that is saved. */
import type { LedgerChunk, LedgerEntry } from '#contract/app/ledger.ts';
import { stringOf } from '../output/jsonNode.ts';
import { blobOf, readMedia } from '../output/media.ts';
import { createJoiner, resultBeside, textOfPieces } from './joinChunks.ts';
import { indentJson, jsonString } from './jsonText.ts';

const ID_CHARS = 8;

/** The beginning of the names of its files: the endpoint and the first characters of the job's id. */
export const fileNameOf = ({ endpointName, jobId, entryId }: LedgerEntry): string =>
  `${endpointName}-${(jobId ?? entryId).slice(0, ID_CHARS)}`;

interface OutputOf {
  entry: LedgerEntry;
  chunks: readonly LedgerChunk[];
  output: string | null;
}

/**
 * The output as one text: strings as they read, anything else as JSON. What was streamed comes before what was
 * returned.
 */
export function outputText({ output, chunks }: Pick<OutputOf, 'output' | 'chunks'>): string {
  const result = resultBeside(output, chunks);
  const returned = result === null ? [] : [jsonString(result) ?? indentJson(result)];
  if (chunks.length === 0) return returned.join('');
  const words = textOfPieces(createJoiner()(chunks));
  const streamed = words ?? indentJson(`[${chunks.map((chunk) => chunk.text).join(',')}]`);
  return [streamed, ...returned].join('\n\n');
}

/** The output as a file: media as their bytes, text as text, the rest as JSON. `extension` has no dot. */
export function outputFile(job: OutputOf): { bytes: Blob; name: string } {
  const string = job.output === null ? null : stringOf(job.output.trim());
  const media = string === null ? null : readMedia(string);
  const bytes = media && blobOf(media);
  if (media && bytes) return { bytes, name: `${fileNameOf(job.entry)}.${media.type.extension}` };
  const text = outputText(job);
  const isJson = /^\s*[[{]/.test(text);
  return {
    bytes: new Blob([text], { type: isJson ? 'application/json' : 'text/plain' }),
    name: `${fileNameOf(job.entry)}.${isJson ? 'json' : 'txt'}`,
  };
}
