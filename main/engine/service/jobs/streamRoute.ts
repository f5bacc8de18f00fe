/** GET and POST /stream: the chunks of a job that were not read yet. */
import * as z from 'zod';
import { chunkSchema, isTerminal, streamEnvelopeSchema, wholeMs } from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import type { LimitSettings, StreamAnswer } from '#contract/local/settings.ts';
import { hasSettledEnd, type Job } from '../../domain/jobs/jobRecord.ts';
import type { Jobs } from '../../domain/jobs/jobs.ts';
import { mayConsume } from '../http/auth.ts';
import { JOB_STATUS_HEADER, wantsStreamEnvelope } from '../http/compat.ts';
import { sendJoined } from '../http/errorMapper.ts';
import { queryNumber, type BriefRoute, type Call } from '../http/route.ts';
import { named, type DescribedJobRoute, type OperationDescription } from '../openapi/operation.ts';
import type { JobViews } from './jobViews.ts';
import type { LongPoll } from './longPoll.ts';
import { seconds, waitingHeaders } from './shapes.ts';

export interface StreamRouteOptions {
  jobs: Jobs;
  /** The limits in force. */
  limits(): LimitSettings;
  /** The form of the answer. */
  streamAnswer(): StreamAnswer;
  longPoll: LongPoll;
  views: JobViews;
}

/** The size of a read that consumes nothing. */
const PEEKED_BYTES = 4_000_000;

const describe = ({ waitMs }: LimitSettings): OperationDescription => ({
  id: 'stream',
  group: 'jobs',
  summary:
    'Answers the chunks that were not read yet, as a list, or in an envelope to clients that need it. The header X-Hangar-Job-Status tells the status of the job. Each chunk is told once; a key that may only read is told them and takes none.',
  query: {
    wait: {
      schema: wholeMs(waitMs),
      words: `How long a request is held while there is no chunk, milliseconds; ${seconds(limits.streamHoldMs)} without.`,
    },
    envelope: { schema: z.enum(['true', 'false']), words: 'Whether the envelope is wanted, whoever asks.' },
  },
  answers: {
    200: {
      words: 'The chunks.',
      shape: { oneOf: [{ listOf: named('Chunk', chunkSchema) }, named('StreamEnvelope', streamEnvelopeSchema)] },
      headers: waitingHeaders,
    },
  },
  refusals: ['BAD_REQUEST'],
});

const unreadChunks = ({ chunks, chunksRead }: Job): number => (chunks ? chunks.ready - chunksRead : 0);

export function createStreamRoute(options: StreamRouteOptions): BriefRoute & DescribedJobRoute {
  const { jobs, longPoll, views } = options;

  /**
   * The next chunks and how many are left after them. A key that may only read gets the chunks without consuming them.
   */
  function nextChunks(job: Job, consumes: boolean): { texts: string[]; left: number } {
    if (consumes) return { texts: jobs.read(job), left: unreadChunks(job) };
    if (!job.chunks) return { texts: [], left: 0 };
    const position = { index: job.chunksRead, row: job.chunks.readRow };
    const texts = jobs.readFrom(job, position, PEEKED_BYTES);
    return { texts, left: job.chunks.ready - position.index };
  }

  function stream(call: Call): void {
    const job = jobs.find(call.endpoint.id, call.first);
    const holdMs = queryNumber(call.query, 'wait', options.limits().waitMs) ?? limits.streamHoldMs;
    const envelope = wantsStreamEnvelope(call.request.headers, call.query, options.streamAnswer());
    const answer = (): void => {
      const { texts, left } = nextChunks(job, mayConsume(call.caller));
      // Readers stop at an end state: it goes out only with the last chunk, and only once it is on disk.
      const status = isTerminal(job.status) && (left > 0 || job.pendingWrites > 0) ? 'IN_PROGRESS' : job.status;
      call.response.setHeader(JOB_STATUS_HEADER, status);
      views.setWaitingHeaders(call.response, job);
      // The number of attempts shows the reader that a stream begins anew.
      const retries = job.retries > 0 ? `,"retries":${job.retries}` : '';
      if (envelope) sendJoined(call.response, `{"status":"${status}"${retries},"stream":[`, texts, ']}');
      else sendJoined(call.response, '[', texts, ']');
    };
    const attempt = job.retries;
    const ready = (): boolean => unreadChunks(job) > 0 || hasSettledEnd(job) || job.retries !== attempt;
    longPoll.answerWhen(call, job, holdMs, ready, answer, true);
  }

  return {
    methods: ['GET', 'POST'],
    need: 'read',
    rate: 'stream',
    tail: '/{jobId}',
    operation: describe,
    run: stream,
  };
}
