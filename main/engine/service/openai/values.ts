/** What a job has yielded or returned, read for an OpenAI client's answer. */
import { StringDecoder } from 'node:string_decoder';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import { isStored, type StoredText } from '../../domain/jobs/payload/payloadRef.ts';
import { outputOf } from './answer.ts';

/** Chunks read from the store at a time: what a slow reader holds in memory is about this and one chunk. */
export const READ_BYTES = 256 * 1024;

/** The values that a job has yielded, raw JSON, in batches of about READ_BYTES. */
export function* yieldedValues(jobs: Jobs, job: Job): Generator<string[]> {
  const position = { index: 0, row: job.chunks?.firstRow ?? 0 };
  for (;;) {
    const texts = jobs.readFrom(job, position, READ_BYTES);
    if (texts.length === 0) return;
    yield texts.map(outputOf);
  }
}

/** What the handler returned, raw JSON; null where that is nothing. */
export function returnedValue(jobs: Jobs, job: Job): string | StoredText | null {
  const output = jobs.output(job);
  return isStored(output) || output !== 'null' ? output : null;
}

/** A text from a file, whole. Rejects where it cannot be read. */
export async function readWhole(texts: LargeTexts, text: StoredText): Promise<string> {
  const decoder = new StringDecoder('utf8');
  let whole = '';
  // A piece is good until the next one is asked for.
  for await (const piece of texts.read(text)) {
    whole += decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
  }
  return whole + decoder.end();
}
