/**
 * What somebody would build from well-known parts: Fastify with schemas in front of BullMQ on Redis, with the same
 * calls for clients as the engine has. No keys, no limits, no worker protocol. Forked by the benchmark.
 */
import { Queue, QueueEvents, type Job } from 'bullmq';
import Fastify from 'fastify';
import { REDIS_PORT } from './workerOrders.ts';

const connection = { host: '127.0.0.1', port: Number(process.env[REDIS_PORT]), maxRetriesPerRequest: null };
const WAIT_MS = 90_000;

type JobInput = Record<string, unknown>;

interface Line {
  queue: Queue<JobInput>;
  /** Opened by the first call that waits for a result. */
  events: Promise<QueueEvents> | null;
}
const lines = new Map<string, Line>();

function lineOf(endpointId: string): Line {
  let line = lines.get(endpointId);
  if (!line) {
    line = { queue: new Queue(endpointId, { connection }), events: null };
    // Every call that waits listens.
    line.queue.setMaxListeners(0);
    lines.set(endpointId, line);
  }
  return line;
}

async function openEvents(endpointId: string): Promise<QueueEvents> {
  const events = new QueueEvents(endpointId, { connection });
  events.setMaxListeners(0);
  await events.waitUntilReady();
  return events;
}

/**
 * The moments in a job do not tell its state: one that waits for its second attempt was begun before. BullMQ has a call
 * for that.
 */
async function statusOf(job: Job): Promise<string> {
  const state = await job.getState();
  if (state === 'completed') return 'COMPLETED';
  if (state === 'failed') return 'FAILED';
  return state === 'active' ? 'IN_PROGRESS' : 'IN_QUEUE';
}

const body = {
  type: 'object',
  required: ['input'],
  properties: {
    input: { type: 'object', additionalProperties: true },
    webhook: { type: 'string' },
    policy: { type: 'object', additionalProperties: true },
  },
} as const;
const accepted = { type: 'object', properties: { id: { type: 'string' }, status: { type: 'string' } } } as const;
const view = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    status: { type: 'string' },
    delayTime: { type: 'integer' },
    executionTime: { type: 'integer' },
    output: { type: 'object', additionalProperties: true },
  },
} as const;

interface Paths {
  endpoint: string;
  id: string;
}

const server = Fastify({ keepAliveTimeout: 75_000 });

server.post<{ Params: Paths; Body: { input: JobInput } }>(
  '/v2/:endpoint/run',
  { schema: { body, response: { 200: accepted } } },
  async (request) => {
    const job = await lineOf(request.params.endpoint).queue.add('job', request.body.input);
    return { id: job.id, status: 'IN_QUEUE' };
  },
);
server.post<{ Params: Paths; Body: { input: JobInput } }>(
  '/v2/:endpoint/runsync',
  { schema: { body, response: { 200: view } } },
  async (request) => {
    const line = lineOf(request.params.endpoint);
    const events = await (line.events ??= openEvents(request.params.endpoint));
    const job = await line.queue.add('job', request.body.input);
    const output = await job.waitUntilFinished(events, WAIT_MS);
    return { id: job.id, status: 'COMPLETED', output };
  },
);
server.get<{ Params: Paths }>('/v2/:endpoint/status/:id', { schema: { response: { 200: view } } }, async (request) => {
  const job = await lineOf(request.params.endpoint).queue.getJob(request.params.id);
  if (!job) throw Object.assign(new Error('No such job'), { statusCode: 404 });
  const { id, timestamp, processedOn, finishedOn, returnvalue } = job;
  return {
    id,
    status: await statusOf(job),
    delayTime: processedOn === undefined ? undefined : processedOn - timestamp,
    executionTime: finishedOn === undefined || processedOn === undefined ? undefined : finishedOn - processedOn,
    output: returnvalue,
  };
});

const address = await server.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ address });
process.on('disconnect', () => process.exit(0));
