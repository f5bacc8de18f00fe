/** The log of a worker in REST v2, as server-sent events. */
import * as z from 'zod';
import { AppError } from '#contract/core/errors.ts';
import type { WorkerRecord } from '#contract/local/engine.ts';
import { logLineSchema, type LogFilter, type LogLine } from '#contract/local/log.ts';
import { limits } from '#contract/core/limits.ts';
import type { Endpoints } from '../../domain/resources/endpoints.ts';
import type { LogBook } from '../../domain/logs/lineParser.ts';
import type { FollowLog } from '../local/logFollower.ts';
import type { Named } from '../openapi/operation.ts';
import { operation, unprocessable, type RestV2Operation } from './protocol/operation.ts';

export interface WorkerLogParts {
  endpoints: Pick<Endpoints, 'get'>;
  workers(): Promise<WorkerRecord[]>;
  logs: LogBook;
  followLog: FollowLog;
}

export const logEventAnswer = {
  name: 'LogEvents',
  schema: z.string().meta({ description: 'Events of `{source, line, ts}`, each with a time as its id to go on from.' }),
} satisfies Named;

export const logQuery = {
  source: {
    schema: z.enum(['container', 'system']).optional(),
    words: 'Only the output, or only what the engine says of it.',
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
/** Lines that a reader gets at first where it does not say how many. */
export const USUAL_TAIL = 100;

/** The last digits of its number stand behind the millisecond of a line, so that each line has a time of its own. */
const DIGITS = 6;
const ORDERS = 10 ** DIGITS;
const timeOf = ({ at, n }: LogLine): string => at.replace('Z', `${String(n % ORDERS).padStart(DIGITS, '0')}Z`);

/** A moment, and the number of the last line of its millisecond that the reader has. */
interface Moment {
  readonly ms: number;
  readonly order: number;
}

const isAfter = ({ at, n }: LogLine, { ms, order }: Moment): boolean => {
  const lineMs = Date.parse(at);
  return lineMs === ms ? n % ORDERS > order : lineMs > ms;
};

/** The moment at which a reader of this event goes on. Throws UNPROCESSABLE for an id that is no time. */
function momentOfEvent(id: string): Moment {
  const ms = Date.parse(id);
  if (Number.isNaN(ms))
    throw unprocessable(`Last-Event-ID must be a time, as the ids of events are; got ${id.slice(0, 60)}`);
  const order = /\.\d{3}(\d{6})Z$/.exec(id)?.[1];
  return { ms, order: order === undefined ? ORDERS : Number(order) };
}

const sourceOf = ({ stream }: Pick<LogLine, 'stream'>): 'container' | 'system' =>
  stream === 'engine' ? 'system' : 'container';

/**
 * The number of the line before the first wanted one. `startAt`: a moment, or a number of lines before the end.
 * `through`: the last line that counts.
 */
async function lineBeforeFirst(
  logs: Pick<LogBook, 'page'>,
  filter: LogFilter,
  through: number,
  startAt: Moment | number,
  source: LogQuery['source'],
): Promise<number> {
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

export function workerLogOperation({ endpoints, workers, logs, followLog }: WorkerLogParts): RestV2Operation {
  return operation({
    method: 'get',
    group: 'Serverless',
    need: 'read',
    path: '/serverless/{id}/workers/{workerId}/logs',
    id: 'getWorkerLogs',
    query: logQuery,
    summary: 'Streams what a worker writes, and what the engine says of it, for as long as the caller stays.',
    answers: { 200: { words: 'A stream of events.', shape: logEventAnswer, type: 'text/event-stream' } },
    async run({ params, query: { source, tail = USUAL_TAIL, since }, headers }) {
      const { id, workerId } = params;
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
      const from = await lineBeforeFirst(logs, filter, logs.newest(), startAt ?? tail, source);
      return (response) =>
        followLog(response, from, filter, ({ json }) => {
          const line = logLineSchema.parse(JSON.parse(json));
          const event = { source: sourceOf(line), line: line.text, ts: timeOf(line) };
          return source === undefined || source === event.source
            ? `id: ${event.ts}\ndata: ${JSON.stringify(event)}\n\n`
            : '';
        });
    },
  });
}
