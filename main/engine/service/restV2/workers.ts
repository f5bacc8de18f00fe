/** The workers of an endpoint in REST v2: what they are, how far a change of their endpoint has come, and what they write. */
import * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';
import type { WorkerRecord } from '#contract/local/engine.ts';
import type { LogFilter, LogLine } from '#contract/local/log.ts';
import { limits } from '#contract/core/limits.ts';
import type { KeptEndpoint } from '#contract/api/resources.ts';
import type { Endpoints } from '../../domain/resources/endpoints.ts';
import type { LogBook } from '../../domain/logs/lineParser.ts';
import { HERE } from '../../domain/pods/env.ts';
import type { Clock } from '../../domain/core/ports.ts';
import type { Templates } from '../../domain/resources/templates.ts';
import type { FollowLog } from '../local/logFollower.ts';
import { operation, unprocessable, type Named, type RestV2Operation } from './protocol/operation.ts';

export interface WorkerParts {
  endpoints: Pick<Endpoints, 'get'>;
  templates: Pick<Templates, 'get'>;
  workers(): Promise<WorkerRecord[]>;
  /** The type of a GPU of this machine; null where there is none of that uuid. */
  gpuTypeOf(uuid: string): string | null;
  logs: LogBook;
  followLog: FollowLog;
  clock: Pick<Clock, 'now'>;
}

const statuses = ['RUNNING', 'IDLE', 'INITIALIZING', 'THROTTLED', 'UNHEALTHY'] as const;
/** One that is stopping is no longer active. */
const statusOf: Readonly<Record<WorkerRecord['state'], (typeof statuses)[number] | null>> = {
  running: 'RUNNING',
  idle: 'IDLE',
  initializing: 'INITIALIZING',
  stopping: null,
  unhealthy: 'UNHEALTHY',
};

const workerSchema = z.object({
  id: z.string(),
  status: z.enum(statuses),
  isStale: z.boolean().meta({ description: 'Its endpoint has been changed since it was started.' }),
  version: z.int().nullable(),
  gpuCount: z.int(),
  image: z.string(),
  uptimeSeconds: z.int().nullable(),
  gpuTypeId: z.string().nullable(),
  dataCenterId: z.string(),
  startedAt: z.string().nullable(),
});
type WorkerAnswer = z.output<typeof workerSchema>;
const count = z.int();
const workersAnswer = {
  name: 'ListEndpointWorkersResponse',
  schema: z.object({
    workers: z.array(workerSchema),
    summary: z.object({
      running: count,
      idle: count,
      initializing: count,
      throttled: count,
      unhealthy: count,
      total: count,
    }),
    endpointVersion: count,
  }),
} satisfies Named;
const releasesAnswer = {
  name: 'ListEndpointReleasesResponse',
  schema: z.object({
    endpointVersion: count,
    rollout: z.object({
      inProgress: z.boolean(),
      workersOnLatest: count,
      workersTotal: count,
      percentOnLatest: count,
    }),
    releases: z.array(z.never()).meta({ description: 'Empty: earlier versions of an endpoint are not kept here.' }),
  }),
} satisfies Named;

const eventAnswer = {
  name: 'LogEvents',
  schema: z.string().meta({ description: 'Events of `{source, line, ts}`, each with a time as its id to go on from.' }),
} satisfies Named;

const logQuery = {
  source: {
    schema: z.enum(['container', 'system']).optional(),
    words: 'Only what the worker writes, or only what the engine says of it.',
  },
  tail: {
    schema: z.coerce.number().int().min(0).max(5000).optional(),
    words: 'How many of the lines there are to begin with: 100 where it is not said.',
  },
  since: {
    schema: z.iso.datetime({ offset: true }).optional(),
    words: 'Begin with the lines of this time; `Last-Event-ID` goes before it.',
  },
};
type LogQuery = { [K in keyof typeof logQuery]: z.output<(typeof logQuery)[K]['schema']> };
const USUAL_TAIL = 100;

/** Lines of one millisecond are told apart by what follows it: the last digits of their number. */
const DIGITS = 6;
const ORDERS = 10 ** DIGITS;
const timeOf = ({ at, n }: LogLine): string => at.replace('Z', `${String(n % ORDERS).padStart(DIGITS, '0')}Z`);

/** A moment, and how many lines of its millisecond were told. */
interface Moment {
  readonly ms: number;
  readonly order: number;
}

const isAfter = ({ at, n }: LogLine, { ms, order }: Moment): boolean => {
  const lineMs = Date.parse(at);
  return lineMs === ms ? n % ORDERS > order : lineMs > ms;
};

/** Where a reader goes on that has seen this event. */
function momentOfEvent(id: string): Moment {
  const ms = Date.parse(id);
  if (Number.isNaN(ms))
    throw unprocessable(`Last-Event-ID must be a time, as the ids of events are; got ${id.slice(0, 60)}`);
  const order = /\.\d{3}(\d{6})Z$/.exec(id)?.[1];
  return { ms, order: order === undefined ? ORDERS : Number(order) };
}

const sourceOf = ({ stream }: Pick<LogLine, 'stream'>): 'container' | 'system' =>
  stream === 'engine' ? 'system' : 'container';

export function workerOperations(parts: WorkerParts): RestV2Operation[] {
  const { endpoints, templates, workers, gpuTypeOf, logs, followLog, clock } = parts;

  async function workersOf({ id, version, templateId }: KeptEndpoint): Promise<WorkerAnswer[]> {
    const image = templates.get(templateId).imageName;
    return (await workers()).flatMap((worker): WorkerAnswer[] => {
      const status = statusOf[worker.state];
      if (worker.endpointId !== id || status === null) return [];
      const startedAt = worker.preparing === null ? worker.startedAt : null;
      const [gpu] = worker.gpus;
      return [
        {
          id: worker.id,
          status,
          image,
          startedAt,
          dataCenterId: HERE,
          gpuCount: worker.gpus.length,
          version: worker.version ?? null,
          isStale: worker.version !== undefined && worker.version !== version,
          uptimeSeconds:
            startedAt === null ? null : Math.max(0, Math.floor((clock.now() - Date.parse(startedAt)) / 1000)),
          gpuTypeId: gpu === undefined ? null : gpuTypeOf(gpu),
        },
      ];
    });
  }

  /** The number of the line before the first one that is wanted, of those up to `through`. */
  async function begin(filter: LogFilter, through: number, startAt: Moment | number, source: LogQuery['source']) {
    let before = through + 1;
    let from = through;
    let lines = 0;
    for (;;) {
      const page = await logs.page({ ...filter, before, limit: limits.log.listed.max });
      for (const line of page.lines.toReversed()) {
        if (typeof startAt === 'number' ? lines >= startAt : !isAfter(line, startAt)) return from;
        from = line.n - 1;
        if (source === undefined || source === sourceOf(line)) lines += 1;
      }
      if (page.next === null) return from;
      before = page.next;
    }
  }

  const group = 'Serverless';
  const read = { method: 'get', group, need: 'read' } as const;
  return [
    operation({
      ...read,
      path: '/serverless/{id}/workers',
      id: 'listEndpointWorkers',
      summary: 'Lists the workers there are.',
      answers: { 200: { words: 'The workers, and how many there are of each kind.', shape: workersAnswer } },
      async run({ params }) {
        const endpoint = endpoints.get(params['id']!);
        const list = await workersOf(endpoint);
        const of = (status: WorkerAnswer['status']): number => list.filter((worker) => worker.status === status).length;
        return {
          workers: list,
          summary: {
            running: of('RUNNING'),
            idle: of('IDLE'),
            initializing: of('INITIALIZING'),
            throttled: of('THROTTLED'),
            unhealthy: of('UNHEALTHY'),
            total: list.length,
          },
          endpointVersion: endpoint.version,
        };
      },
    }),
    operation({
      ...read,
      path: '/serverless/{id}/releases',
      id: 'listEndpointReleases',
      summary: 'Tells how many workers have been replaced since the endpoint was changed.',
      answers: { 200: { words: 'How far the newest version has come.', shape: releasesAnswer } },
      async run({ params }) {
        const endpoint = endpoints.get(params['id']!);
        const list = await workersOf(endpoint);
        const workersOnLatest = list.filter(({ isStale }) => !isStale).length;
        return {
          endpointVersion: endpoint.version,
          rollout: {
            inProgress: workersOnLatest < list.length,
            workersOnLatest,
            workersTotal: list.length,
            percentOnLatest: list.length === 0 ? 0 : Math.floor((100 * workersOnLatest) / list.length),
          },
          releases: [],
        };
      },
    }),
    operation({
      ...read,
      path: '/serverless/{id}/workers/{workerId}/logs',
      id: 'getWorkerLogs',
      query: logQuery,
      summary: 'Streams what a worker writes, and what the engine says of it, for as long as the caller stays.',
      answers: { 200: { words: 'A stream of events.', shape: eventAnswer, type: 'text/event-stream' } },
      async run({ params, query: { source, tail = USUAL_TAIL, since }, headers }) {
        const { id, workerId } = params as { id: string; workerId: string };
        endpoints.get(id);
        const filter = { endpointId: id, workerId };
        const hasLines = (await logs.page({ ...filter, limit: 1 })).lines.length > 0;
        if (!hasLines && !(await workers()).some((worker) => worker.id === workerId && worker.endpointId === id)) {
          throw new AppError(
            'NOT_FOUND',
            `There is no worker ${JSON.stringify(workerId)} of this endpoint, and no line of one.`,
          );
        }
        const event = headers['last-event-id'];
        const moment = since === undefined ? null : { ms: Date.parse(since), order: -1 };
        const startAt = typeof event === 'string' && event !== '' ? momentOfEvent(event) : moment;
        const from = await begin(filter, logs.newest(), startAt ?? tail, source);
        return (response) =>
          followLog(response, from, filter, ({ json }) => {
            const line = JSON.parse(json) as LogLine;
            const event = { source: sourceOf(line), line: line.text, ts: timeOf(line) };
            return source === undefined || source === event.source
              ? `id: ${event.ts}\ndata: ${JSON.stringify(event)}\n\n`
              : '';
          });
      },
    }),
  ];
}
