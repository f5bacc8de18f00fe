/** One job as the feed tells it, with its texts where they are small. */
import { isTerminal } from '#contract/api/job.ts';
import type { JobNote } from '#contract/local/jobFeed.ts';
import { wasSentSync } from '../jobIds.ts';
import type { Job } from '../jobRecord.ts';
import type { JsonText } from '../payload/payloadRef.ts';
import { readSender } from './sender.ts';

/** Characters of the chunks of one note, about. */
const CHUNKS_LENGTH = 1024 * 1024;

export interface NoteSources {
  body(job: Job): JsonText | null;
  output(job: Job): JsonText | null;
  firstChunks(job: Job, maxBytes: number): string[];
  /** Why a queued job waits. */
  waitsFor(job: Job): { readonly message: string };
  /** Null for an endpoint that a person does not see. */
  endpointName(endpointId: string): string | null;
}

const inlineText = (text: JsonText | null): string | null => (typeof text === 'string' ? text : null);
const bytesOf = (text: JsonText | null): number | null =>
  text === null ? null : typeof text === 'string' ? Buffer.byteLength(text) : text.part.end - text.part.start;

/** The note about a job whose changes are on disk. */
export function jobNoteOf(job: Job, sources: NoteSources): JobNote {
  const ended = isTerminal(job.status);
  const body = job.removed ? null : sources.body(job);
  const output = ended && !job.removed ? sources.output(job) : null;
  const { workerStartedAt } = job;
  return {
    id: job.id,
    endpointId: job.endpointId,
    endpointName: sources.endpointName(job.endpointId) ?? job.endpointId,
    sync: wasSentSync(job.id),
    sender: readSender(job.sender),
    status: job.status,
    removed: job.removed,
    submittedAt: job.submittedAt,
    queuedAt: job.queuedAt,
    // A worker that was there before the job was not started for it.
    workerStartedAt: workerStartedAt !== null && workerStartedAt >= job.queuedAt ? workerStartedAt : null,
    startedAt: job.startedAt,
    pricePerHour: job.pricePerHour,
    finishedAt: ended ? job.finishedAt : null,
    delayTime: job.delayTime,
    executionTime: job.executionTime,
    workerId: job.workerId,
    retries: job.retries,
    error: job.error,
    waiting: job.status === 'IN_QUEUE' && !job.removed ? sources.waitsFor(job).message : null,
    body: inlineText(body),
    bodyBytes: bytesOf(body),
    output: inlineText(output),
    outputBytes: bytesOf(output),
    chunks: ended ? sources.firstChunks(job, CHUNKS_LENGTH) : [],
    chunkTotal: ended && !job.removed ? (job.chunks?.ready ?? 0) : 0,
  };
}
