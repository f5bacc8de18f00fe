/** Reads the values that a job has yielded or returned, for the answer to an OpenAI client. */
import { StringDecoder } from 'node:string_decoder';
import type { Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import type { LargeTexts } from '../../domain/jobs/payload/largeBodies.ts';
import { isStored, type StoredText } from '../../domain/jobs/payload/payloadRef.ts';
import { outputOf } from './answer.ts';

/** The size of one read from the store: a slow reader holds about this and one chunk in memory. */
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

/** The returned value of the handler, raw JSON; null for none. */
export function returnedValue(jobs: Jobs, job: Job): string | StoredText | null {
  const output = jobs.output(job);
  return isStored(output) || output !== 'null' ? output : null;
}

/** The whole text of a file. Rejects where the file cannot be read. */
export async function readWhole(texts: LargeTexts, text: StoredText): Promise<string> {
  const decoder = new StringDecoder('utf8');
  let whole = '';
  // A piece is valid until the next one is read.
  for await (const piece of texts.read(text)) {
    whole += decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
  }
  return whole + decoder.end();
}
