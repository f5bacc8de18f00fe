/** The log of a Pod in REST v2, as server-sent events. */
import type { LogLine } from '#contract/local/log.ts';
import { followPodLog, tailPodLog } from '../../domain/logs/podLog.ts';
import type { Clock } from '../../domain/core/ports.ts';
import type { Pods } from '../../domain/pods/podInterfaces.ts';
import type { StreamLines } from '../local/podLogRoutes.ts';
import { operation, unprocessable, type RestV2Operation } from './protocol/operation.ts';
import { logEventAnswer, logQuery, USUAL_TAIL } from './workerLogs.ts';

export interface PodLogParts {
  pods: Pick<Pods, 'output'>;
  streamLines: StreamLines;
  clock: Pick<Clock, 'now'>;
}

const US_PER_MS = 1000;

/** The time of a line, with its microseconds: each line has a time of its own. */
const timeOf = ({ n }: LogLine): string =>
  new Date(Math.floor(n / US_PER_MS)).toISOString().replace('Z', `${String(n % US_PER_MS).padStart(3, '0')}Z`);

/** The number of the line with this time. Throws UNPROCESSABLE for text that is no time. */
function numberOf(time: string): number {
  const ms = Date.parse(time);
  if (Number.isNaN(ms)) {
    throw unprocessable(`Last-Event-ID must be a time, as the ids of events are; got ${time.slice(0, 60)}`);
  }
  return ms * US_PER_MS + Number(/\.\d{3}(\d{3})Z$/.exec(time)?.[1] ?? 0);
}

export function podLogOperation({ pods, streamLines, clock }: PodLogParts): RestV2Operation {
  return operation({
    method: 'get',
    group: 'Pods',
    need: 'read',
    path: '/pods/{id}/logs',
    id: 'getPodLogs',
    query: logQuery,
    summary: 'Streams what the container of a Pod writes, over its restarts, for as long as the caller stays.',
    answers: { 200: { words: 'A stream of events.', shape: logEventAnswer, type: 'text/event-stream' } },
    run({ params, query: { source, tail = USUAL_TAIL, since }, headers }) {
      const output = pods.output(params.id);
      const event = headers['last-event-id'];
      let after = tail === 0 ? clock.now() * US_PER_MS : null;
      if (typeof event === 'string' && event !== '') after = numberOf(event);
      else if (since !== undefined) after = numberOf(since) - 1;
      return (response) =>
        streamLines(
          response,
          (signal) => (after === null ? tailPodLog(output, tail, signal) : followPodLog(output, after, {}, signal)),
          (line) => {
            const ts = timeOf(line);
            const data = JSON.stringify({ source: 'container', line: line.text, ts });
            return source === 'system' ? '' : `id: ${ts}\ndata: ${data}\n\n`;
          },
        );
    },
  });
}
