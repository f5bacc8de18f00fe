/** The body of a webhook: the whole job at its end, with the original text of its input and output. */
import { rawField } from '#contract/core/jsonScanner.ts';
import type { JobRecord } from '../jobs/jobFields.ts';
import { cut, isStored, type JsonParts, type JsonText } from '../jobs/payload/payloadRef.ts';

type Ended = Pick<JobRecord, 'id' | 'status' | 'delayTime' | 'executionTime' | 'error' | 'webhook'>;

function inputOf(body: JsonText | null): JsonText {
  if (body === null) return 'null';
  if (!isStored(body)) return rawField(body, 'input') ?? 'null';
  return body.input ? cut(body, body.input.start, body.input.end) : 'null';
}

/**
 * The JSON text of the job, in parts. `body` is the original request; only its `input` is used. Null when it is
 * unreadable.
 */
export function webhookPayload(job: Ended, body: JsonText | null, output: JsonText | null): JsonParts {
  const error = job.error === null ? '' : `"error":${JSON.stringify(job.error)},`;
  const parts: JsonText[] = [];
  const add = (part: JsonText): void => {
    const last = parts.at(-1);
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else parts.push(part);
  };
  add(`{"delayTime":${job.delayTime ?? 0},${error}"executionTime":${job.executionTime ?? 0},"id":"${job.id}","input":`);
  add(inputOf(body));
  add(',"output":');
  add(output ?? 'null');
  add(`,"status":"${job.status}","webhook":${JSON.stringify(job.webhook)}}`);
  return parts;
}

/** The approximate length: characters of text plus bytes of files. */
export const payloadLengthOf = (payload: JsonParts): number =>
  payload.reduce((sum, part) => sum + (isStored(part) ? part.part.end - part.part.start : part.length), 0);
