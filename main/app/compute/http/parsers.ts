/** Parses answers of the service: validated by the contract, with payloads as their raw text. */
import { AppError } from '#contract/core/errors.ts';
import type { JobStatus, JobView } from '#contract/api/job.ts';
import { arrayItems, metricsBeside, rawField, topLevelSpans } from '#contract/core/jsonScanner.ts';
import { lenientJobSchema, lenientJobStatusSchema } from '#contract/api/lenient.ts';
import * as z from 'zod';

/** A job as the service reports it. Its result is separate, as raw JSON (`view.output` is never set). */
export interface JobAnswer {
  view: JobView;
  /** Raw JSON; null when the answer has no `output`. */
  output: string | null;
}

export interface StreamAnswer {
  /** Null from services that answer only the chunks. */
  status: JobStatus | null;
  /** Raw JSON of each chunk's `output`, in order. */
  chunks: string[];
  /** Raw JSON of the `metrics` beside each chunk's `output`, null for none; missing if no chunk has any. */
  metrics?: (string | null)[];
  /** How many times the stream began anew. */
  retries: number;
}

/**
 * Runs a parser. A failure becomes an UPSTREAM error that names the request: the service executed it, but its answer is
 * unusable.
 */
function understood<T>(question: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const message = `The answer to "${question}" is not what the service description says.`;
    throw new AppError('UPSTREAM', message, { details: { sent: 'maybe' }, cause });
  }
}

export function readJson<S extends z.ZodType>(question: string, text: string, schema: S): z.output<S> {
  return understood(question, () => schema.parse(JSON.parse(text)));
}

/** Parses only the small fields: an output may have 20 MB, and numbers that JavaScript cannot represent. */
export function readJob(question: string, text: string): JobAnswer {
  return understood(question, () => {
    const fields: [string, unknown][] = [];
    let output: string | null = null;
    for (const [key, { start, end }] of topLevelSpans(text)) {
      const raw = text.slice(start, end);
      if (key === 'output') output = raw;
      else fields.push([key, JSON.parse(raw)]);
    }
    return { view: lenientJobSchema.parse(Object.fromEntries(fields)), output };
  });
}

/** Accepts the envelope `{status, stream}` and a bare array of chunks. */
export function readStream(question: string, text: string): StreamAnswer {
  return understood(question, () => {
    const isBare = text.trimStart().startsWith('[');
    const items = arrayItems(isBare ? text : (rawField(text, 'stream') ?? '[]'));
    const retries = isBare ? 0 : z.int().parse(JSON.parse(rawField(text, 'retries') ?? '0'));
    const status = isBare ? null : lenientJobStatusSchema.parse(JSON.parse(rawField(text, 'status') ?? 'null'));
    const chunks = items.map((item) => rawField(item, 'output') ?? item);
    const metrics = items.map((item) => metricsBeside(item));
    return { status, retries, chunks, ...(metrics.some((one) => one !== null) && { metrics }) };
  });
}
