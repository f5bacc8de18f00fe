/** Reads answers of the service: checked against the contract, payloads kept as the raw text they came in. */
import { AppError } from '#contract/core/errors.ts';
import type { JobStatus, JobView } from '#contract/api/job.ts';
import { arrayItems, rawField, topLevelSpans } from '#contract/core/jsonScanner.ts';
import { toldJobSchema, toldJobStatusSchema } from '#contract/api/lenient.ts';
import * as z from 'zod';

/** A job as the service tells it, its result apart as raw JSON (`view.output` is never filled). */
export interface JobAnswer {
  view: JobView;
  /** Raw JSON; null when the answer has no `output`. */
  output: string | null;
}

export interface StreamAnswer {
  /** Null from services that answer nothing but the chunks. */
  status: JobStatus | null;
  /** Raw JSON of each chunk's `output`, in order. */
  chunks: string[];
  /** How often the stream has begun anew. */
  retries: number;
}

/** Runs a reader; what it cannot understand becomes an UPSTREAM error that names the question. */
function understood<T>(question: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new AppError('UPSTREAM', `The answer to "${question}" is not what the service description says.`, { cause });
  }
}

export function readJson<S extends z.ZodType>(question: string, text: string, schema: S): z.output<S> {
  return understood(question, () => schema.parse(JSON.parse(text)));
}

/** Only the small fields are parsed: an output may have 20 MB and numbers that JavaScript cannot hold. */
export function readJob(question: string, text: string): JobAnswer {
  return understood(question, () => {
    const fields: [string, unknown][] = [];
    let output: string | null = null;
    for (const [key, { start, end }] of topLevelSpans(text)) {
      const raw = text.slice(start, end);
      if (key === 'output') output = raw;
      else fields.push([key, JSON.parse(raw)]);
    }
    return { view: toldJobSchema.parse(Object.fromEntries(fields)), output };
  });
}

/** Takes the envelope `{status, stream}` as well as a bare array of chunks. */
export function readStream(question: string, text: string): StreamAnswer {
  return understood(question, () => {
    const isBare = text.trimStart().startsWith('[');
    const items = arrayItems(isBare ? text : (rawField(text, 'stream') ?? '[]'));
    const retries = isBare ? 0 : z.int().parse(JSON.parse(rawField(text, 'retries') ?? '0'));
    const status = isBare ? null : toldJobStatusSchema.parse(JSON.parse(rawField(text, 'status') ?? 'null'));
    return { status, retries, chunks: items.map((item) => rawField(item, 'output') ?? item) };
  });
}
