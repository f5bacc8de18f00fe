/** The job API, load balancing and the worker protocol as a table: what /v2/openapi.json tells of them. */
import {
  chunkSchema,
  healthSchema,
  jobAcceptedSchema,
  jobRequestSchemaWith,
  jobStatusSchema,
  jobViewSchema,
  policySchemaFor,
  purgedSchema,
  requestsLimitSchema,
  requestsSchema,
  s3ConfigSchema,
  streamEnvelopeSchema,
  wholeMs,
} from '#contract/api/job.ts';
import { limits } from '#contract/core/limits.ts';
import type { LimitSettings } from '#contract/local/settings.ts';
import {
  batchSizeSchema,
  jobsToStopSchema,
  takenJobSchema,
  takenNoteSchema,
  workerResultSchema,
} from '#contract/api/worker.ts';
import * as z from 'zod';
import { WAITING_HEADER } from '../../http/compat.ts';
import type { DocumentTable, Operation } from '../document.ts';

function requestsWithin(now: LimitSettings) {
  const policySchema = policySchemaFor(now);
  return {
    JobRequest: jobRequestSchemaWith(policySchema),
    Policy: policySchema,
    S3Config: s3ConfigSchema,
    WorkerResult: workerResultSchema,
    ChunkPosted: chunkSchema,
    AnyObject: z.looseObject({}),
  };
}
const answers = {
  JobAccepted: jobAcceptedSchema,
  Job: jobViewSchema,
  JobStatus: jobStatusSchema,
  Chunk: chunkSchema,
  StreamEnvelope: streamEnvelopeSchema,
  Purged: purgedSchema,
  Requests: requestsSchema,
  Health: healthSchema,
  TakenJob: takenJobSchema,
  JobsToStop: jobsToStopSchema,
  TakenNote: takenNoteSchema,
  AnyAnswer: z.unknown(),
  Document: z.looseObject({ openapi: z.string() }),
};
type Name = keyof ReturnType<typeof requestsWithin> | keyof typeof answers;

const seconds = (ms: number): string => `${ms / 1000} s`;
const gpu = { schema: z.string(), words: 'What the worker runs on; of no meaning here.' };
const accepted = { words: 'The job, and that it waits.', shape: 'JobAccepted' } as const;
const whyItWaits = { [WAITING_HEADER]: 'Of a job that is queued: why it waits, as a code, a colon and a sentence.' };
const job = { words: 'The job as it is now.', shape: 'Job', headers: whyItWaits } as const;
const takenNote = { words: 'Taken, and on disk.', shape: 'TakenNote' } as const;
const nothing = { words: 'There is nothing now.', shape: null } as const;
const emptyBody = { shape: 'AnyObject', required: false } as const;

const BASE = '/v2/{endpointId}';
const RATED = ['TOO_MANY_REQUESTS'] as const;

function jobOperations({ waitMs, ttlMs, runBodyBytes, runsyncBodyBytes }: LimitSettings): Operation<Name>[] {
  const wait = {
    schema: wholeMs(waitMs),
    words: `How long the answer is held, milliseconds; ${seconds(waitMs.default)} without.`,
  };
  const ttl = {
    schema: wholeMs(ttlMs),
    words:
      'Replaces the ttl of the job, milliseconds; still counted from submission. Needs a key of the scope `jobs` or more.',
  };
  return [
    {
      methods: ['get'],
      path: '/v2/openapi.json',
      id: 'jobDocument',
      group: 'jobs',
      need: null,
      summary: 'This document.',
      answers: { 200: { words: 'The document.', shape: 'Document' } },
      refusals: [],
    },
    {
      methods: ['post'],
      path: `${BASE}/run`,
      id: 'run',
      group: 'jobs',
      need: 'jobs',
      summary: `Submits a job and answers at once. A body of at most ${runBodyBytes} bytes.`,
      body: { shape: 'JobRequest', required: true },
      answers: { 200: accepted },
      refusals: [...RATED, 'STORAGE_FULL'],
    },
    {
      methods: ['post'],
      path: `${BASE}/runsync`,
      id: 'runSync',
      group: 'jobs',
      need: 'jobs',
      summary: `Submits a job and waits for its end; where the wait runs out, the job as it is then. A body of at most ${runsyncBodyBytes} bytes.`,
      query: { wait },
      body: { shape: 'JobRequest', required: true },
      answers: { 200: job },
      refusals: [...RATED, 'STORAGE_FULL'],
    },
    {
      methods: ['get', 'post'],
      path: `${BASE}/status/{jobId}`,
      id: 'status',
      group: 'jobs',
      need: 'read',
      summary: 'Tells the state of a job, and its output once it has one.',
      query: { ttl },
      answers: { 200: job },
      refusals: ['BAD_REQUEST', ...RATED],
    },
    {
      methods: ['get', 'post'],
      path: `${BASE}/status-sync/{jobId}`,
      id: 'statusSync',
      group: 'jobs',
      need: 'read',
      summary: 'Waits for the end of a job. Counts to the rate of status.',
      query: { wait },
      answers: { 200: job },
      refusals: ['BAD_REQUEST', ...RATED],
    },
    {
      methods: ['get', 'post'],
      path: `${BASE}/stream/{jobId}`,
      id: 'stream',
      group: 'jobs',
      need: 'read',
      summary:
        'Answers the chunks that were not read yet, as a list, or in an envelope to clients that need it. The header X-Hangar-Job-Status tells the status of the job. Each chunk is told once; a key that may only read is told them and takes none.',
      query: {
        wait: {
          schema: wait.schema,
          words: `How long a request is held while there is no chunk, milliseconds; ${seconds(limits.streamHoldMs)} without.`,
        },
        envelope: { schema: z.enum(['true', 'false']), words: 'Whether the envelope is wanted, whoever asks.' },
      },
      answers: {
        200: {
          words: 'The chunks.',
          shape: { oneOf: [{ listOf: 'Chunk' }, 'StreamEnvelope'] },
          headers: whyItWaits,
        },
      },
      refusals: ['BAD_REQUEST', ...RATED],
    },
    {
      methods: ['post'],
      path: `${BASE}/cancel/{jobId}`,
      id: 'cancel',
      group: 'jobs',
      need: 'jobs',
      summary: 'Takes a waiting job off the queue, or stops one that runs.',
      body: emptyBody,
      answers: { 200: { words: 'The job, and that it is cancelled.', shape: 'JobAccepted' } },
      refusals: RATED,
    },
    {
      methods: ['post'],
      path: `${BASE}/retry/{jobId}`,
      id: 'retry',
      group: 'jobs',
      need: 'jobs',
      summary: 'Queues a FAILED or TIMED_OUT job again, with its original input; what came of it before is removed.',
      body: emptyBody,
      answers: { 200: accepted },
      refusals: [],
    },
    {
      methods: ['post'],
      path: `${BASE}/purge-queue`,
      id: 'purgeQueue',
      group: 'jobs',
      need: 'jobs',
      summary: 'Cancels the jobs that wait; those in progress go on.',
      body: emptyBody,
      answers: { 200: { words: 'How many were removed.', shape: 'Purged' } },
      refusals: RATED,
    },
    {
      methods: ['get'],
      path: `${BASE}/requests`,
      id: 'requests',
      group: 'jobs',
      need: 'read',
      summary: 'Lists the newest jobs, newest first, without their output.',
      query: {
        limit: { schema: requestsLimitSchema, words: `How many; ${limits.requestsListed.default} without.` },
        status: { schema: jobStatusSchema, words: 'Only jobs in this state, among the newest thousand.' },
      },
      answers: { 200: { words: 'The jobs.', shape: 'Requests' } },
      refusals: ['BAD_REQUEST', ...RATED],
    },
    {
      methods: ['get'],
      path: `${BASE}/health`,
      id: 'health',
      group: 'jobs',
      need: 'read',
      summary: 'Counts the jobs and workers of the endpoint. Never limited.',
      answers: { 200: { words: 'The counters.', shape: 'Health' } },
      refusals: [],
    },
    {
      methods: ['get', 'post'],
      path: `${BASE}/openai/{route}`,
      id: 'openai',
      group: 'jobs',
      need: 'jobs',
      summary:
        'Any request of an OpenAI client, as a job whose handler knows the path. With `stream` in the body the answer is server-sent events, as the worker writes them.',
      answers: {
        200: { words: 'What the handler answers.', shape: 'AnyAnswer' },
      },
      refusals: ['BAD_REQUEST', 'TOO_LARGE', ...RATED, 'STORAGE_FULL'],
    },
  ];
}

const workerOperations: Operation<Name>[] = [
  {
    methods: ['get'],
    path: `${BASE}/job-take/{workerId}`,
    id: 'takeJob',
    group: 'worker protocol',
    need: 'worker',
    summary: 'Asks for a job; held until there is one.',
    query: { gpu, job_in_progress: { schema: z.enum(['0', '1']), words: '0: the worker has nothing in its hands.' } },
    answers: { 200: { words: 'A job.', shape: 'TakenJob' }, 204: nothing },
    refusals: ['BAD_REQUEST', 'CONFLICT'],
  },
  {
    methods: ['get'],
    path: `${BASE}/job-take-batch/{workerId}`,
    id: 'takeJobs',
    group: 'worker protocol',
    need: 'worker',
    summary: 'Asks for several jobs; held until there is one.',
    query: {
      gpu,
      job_in_progress: { schema: z.enum(['0', '1']), words: '0: the worker has nothing in its hands.' },
      batch_size: { schema: batchSizeSchema, words: 'How many at most; 1 without.' },
    },
    answers: { 200: { words: 'The jobs.', shape: { listOf: 'TakenJob' } }, 204: nothing },
    refusals: ['BAD_REQUEST', 'CONFLICT'],
  },
  {
    methods: ['post'],
    path: `${BASE}/job-done/{workerId}/{jobId}`,
    id: 'finishJob',
    group: 'worker protocol',
    need: 'worker',
    summary: 'Hands in a result, a failure, or progress. With `next=1` the next job is the answer, where there is one.',
    query: {
      gpu,
      isStream: { schema: z.enum(['true', 'false']), words: 'Whether the handler streams; of no meaning here.' },
      next: { schema: z.literal('1'), words: 'Asks for the next job in the same request.' },
    },
    body: { shape: 'WorkerResult', required: true },
    answers: {
      200: { words: 'Taken, and on disk.', shape: { oneOf: ['TakenNote', 'TakenJob'] } },
      204: { words: 'Taken, and there is no next job.', shape: null },
    },
    refusals: ['CONFLICT', 'STORAGE_FULL'],
  },
  {
    methods: ['post'],
    path: `${BASE}/job-stream/{workerId}/{jobId}`,
    id: 'sendChunk',
    group: 'worker protocol',
    need: 'worker',
    summary: 'Hands in one chunk; with `ndjson=1` one a line, for as long as the request is open.',
    query: {
      gpu,
      isStream: { schema: z.enum(['true', 'false']), words: 'Of no meaning here.' },
      ndjson: { schema: z.literal('1'), words: 'One chunk a line.' },
    },
    body: { shape: 'ChunkPosted', required: true },
    answers: { 200: takenNote },
    refusals: ['CONFLICT', 'STORAGE_FULL'],
  },
  {
    methods: ['get'],
    path: `${BASE}/job-stop/{workerId}`,
    id: 'jobsToStop',
    group: 'worker protocol',
    need: 'worker',
    summary: 'Asks which jobs to stop; held until there is one.',
    query: { gpu },
    answers: { 200: { words: 'The jobs.', shape: 'JobsToStop' }, 204: nothing },
    refusals: ['BAD_REQUEST', 'CONFLICT'],
  },
  {
    methods: ['get'],
    path: `${BASE}/ping/{workerId}`,
    id: 'ping',
    group: 'worker protocol',
    need: 'worker',
    summary: 'A sign of life, with the ids of the jobs in hand.',
    query: { gpu, job_id: { schema: z.string(), words: 'The ids, with commas between them.' } },
    answers: { 200: takenNote },
    refusals: ['BAD_REQUEST', 'CONFLICT'],
  },
];

const balancingOperations: Operation<Name>[] = [
  {
    methods: ['get', 'post', 'put', 'patch', 'delete'],
    path: '/lb/{endpointId}/{path}',
    id: 'balanced',
    group: 'load balancing',
    need: 'jobs',
    summary:
      'Passed straight to a worker of a load-balancing endpoint, which answers as it likes; WebSockets too. ' +
      `Bodies of at most ${limits.balancing.bodyBytes} bytes each way.`,
    answers: { 200: { words: 'What the worker answered, with its own status and headers.', shape: 'AnyAnswer' } },
    refusals: ['TOO_LARGE', 'UPSTREAM', 'UNAVAILABLE', 'UPSTREAM_TIMEOUT'],
  },
];

/** `now`: the limits in force. */
export const jobDocument = (version: string, now: LimitSettings): DocumentTable<Name> => ({
  title: 'Hangar job API',
  version,
  description:
    'Jobs of an endpoint: submitted, watched, streamed, cancelled. Each operation takes only so many requests in 10 seconds and at the same time; the settings under /local/v1 tell how many.',
  groups: {
    jobs: 'What clients call.',
    'load balancing':
      'What is passed to workers. The host name {endpoint}.localhost stands for the path before theirs.',
    'worker protocol': 'What workers call.',
  },
  parameters: {
    endpointId: 'The endpoint.',
    jobId: 'The job, as it was answered when it was submitted.',
    workerId: 'The worker: 1 to 128 letters, digits, `_`, `-` or `.`.',
    path: 'The path of the worker, slashes included.',
    route: 'The path below /openai, slashes included, such as v1/chat/completions.',
  },
  requests: requestsWithin(now),
  answers,
  operations: [...jobOperations(now), ...balancingOperations, ...workerOperations],
});
