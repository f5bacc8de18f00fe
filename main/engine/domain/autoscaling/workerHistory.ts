/**
 * The states of workers in the last hours, as spans of time. The pool reports them and a timeline shows them. In
 * memory, with a limit.
 */
import { limits } from '#contract/core/limits.ts';
import type { Lane, LaneSpan } from '#contract/local/log.ts';
import type { Clock } from '../core/ports.ts';
import type { WorkerChange, WorkerEnd, WorkerWatch } from './workerEvents.ts';

interface Span {
  state: LaneSpan['state'];
  from: number;
  to: number | null;
  jobIds: string[];
}

interface Life {
  readonly workerId: string;
  spans: Span[];
  end: { at: number; reason: string; unhealthy: boolean } | null;
}

/** The workers of one endpoint, in the order of their start. */
interface EndpointHistory {
  readonly lives: Map<string, Life>;
  spans: number;
}

export interface Lanes extends WorkerWatch {
  /** The workers of the last `sinceMs` milliseconds with their spans, in the order of their start. */
  of(endpointId: string, sinceMs: number): Lane[];
}

const moment = (at: number): string => new Date(at).toISOString();

export function createLanes(clock: Pick<Clock, 'now'>): Lanes {
  const records = new Map<string, EndpointHistory>();
  const { spans: mostSpans, retentionMs, gapMs, jobs: mostJobs } = limits.lanes;

  function recordOf(endpointId: string): EndpointHistory {
    let record = records.get(endpointId);
    if (!record) {
      record = { lives: new Map(), spans: 0 };
      records.set(endpointId, record);
    }
    return record;
  }

  /** Adds new jobs to a span. Beyond the limit, the newest jobs stay. */
  function addJobs(span: Span, jobIds: readonly string[]): void {
    for (const id of jobIds) if (!span.jobIds.includes(id)) span.jobIds.push(id);
    if (span.jobIds.length > mostJobs) span.jobIds.splice(0, span.jobIds.length - mostJobs);
  }

  /** Removes the oldest spans of the oldest workers until they fit, but never the current span. */
  function shrink(record: EndpointHistory): void {
    for (const [id, life] of record.lives) {
      while (record.spans > mostSpans && life.spans.length > (life.end ? 0 : 1)) {
        life.spans.shift();
        record.spans -= 1;
      }
      if (life.spans.length === 0) record.lives.delete(id);
      if (record.spans <= mostSpans) return;
    }
  }

  function forgetOld(): void {
    const oldest = clock.now() - retentionMs;
    for (const [endpointId, record] of records) {
      for (const [id, life] of record.lives) {
        const recent = life.spans.filter(({ to }) => to === null || to >= oldest);
        record.spans -= life.spans.length - recent.length;
        life.spans = recent;
        if (life.end && life.end.at < oldest) {
          record.spans -= recent.length;
          record.lives.delete(id);
        }
      }
      if (record.lives.size === 0) records.delete(endpointId);
    }
  }

  return {
    changed({ workerId, endpointId, state, jobIds, at }: WorkerChange) {
      const record = recordOf(endpointId);
      let life = record.lives.get(workerId);
      if (!life) {
        life = { workerId, spans: [], end: null };
        record.lives.set(workerId, life);
      }
      const last = life.spans.at(-1);
      if (last?.state === state && last.to === null) {
        addJobs(last, jobIds);
        return;
      }
      const before = life.spans.at(-2);
      if (state === 'running' && last?.state === 'idle' && before?.state === 'running' && at - last.from < gapMs) {
        // A worker requests its next job between two jobs in a row. This short pause does not count as idle.
        life.spans.pop();
        record.spans -= 1;
        before.to = null;
        addJobs(before, jobIds);
        return;
      }
      if (last) last.to = at;
      const span: Span = { state, from: at, to: null, jobIds: [] };
      addJobs(span, jobIds);
      life.spans.push(span);
      record.spans += 1;
      if (record.spans > mostSpans) shrink(record);
    },

    ended({ workerId, endpointId, at, reason, unhealthy }: WorkerEnd) {
      const life = records.get(endpointId)?.lives.get(workerId);
      if (!life) return;
      const last = life.spans.at(-1);
      if (last) last.to = at;
      life.end = { at, reason, unhealthy };
      forgetOld();
    },

    of(endpointId, sinceMs) {
      forgetOld();
      const since = clock.now() - sinceMs;
      return [...(records.get(endpointId)?.lives.values() ?? [])]
        .filter(({ end }) => end === null || end.at >= since)
        .map(({ workerId, spans, end }) => ({
          workerId,
          endpointId,
          spans: spans
            .filter(({ to }) => to === null || to >= since)
            .map(({ state, from, to, jobIds }) => ({
              state,
              from: moment(from),
              to: to === null ? null : moment(to),
              jobIds: [...jobIds],
            })),
          end: end && { at: moment(end.at), reason: end.reason, unhealthy: end.unhealthy },
        }));
    },
  };
}
