/** A job as its readers see it: the status object as JSON text, with the output spliced in as the worker wrote it. */
import { isTerminal } from '#contract/api/job.ts';
import type { Job } from '../jobRecord.ts';
import type { JsonParts, JsonText } from '../payload/payloadRef.ts';

/**
 * Clients require every one of these fields on a finished job, as integers and strings; before, they appear when known.
 */
export function jobViewText(job: Job, output: null): string;
export function jobViewText(job: Job, output: JsonText | null): string | JsonParts;
export function jobViewText(job: Job, output: JsonText | null): string | JsonParts {
  let text = `{"id":"${job.id}","status":"${job.status}"`;
  const ended = isTerminal(job.status);
  const delayTime = job.delayTime ?? (ended ? 0 : null);
  const executionTime = job.executionTime ?? (ended ? 0 : null);
  if (delayTime !== null) text += `,"delayTime":${delayTime}`;
  if (executionTime !== null) text += `,"executionTime":${executionTime}`;
  if (job.workerId !== null) text += `,"workerId":${JSON.stringify(job.workerId)}`;
  else if (ended) text += ',"workerId":""';
  if (job.retries > 0) text += `,"retries":${job.retries}`;
  if (job.error !== null) text += `,"error":${JSON.stringify(job.error)}`;
  if (output === null) return text + '}';
  return typeof output === 'string' ? `${text},"output":${output}}` : [`${text},"output":`, output, '}'];
}
