import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { TestEngine } from '../engine/engine.ts';
import type { Answer } from '../http/client.ts';

const takenSchema = z.looseObject({ id: z.string(), input: z.unknown() });
export type Taken = z.infer<typeof takenSchema>;

/** A worker that speaks the worker protocol itself, as any program with a full key may. */
export interface OutsideWorker {
  readonly id: string;
  /** One long poll for one job; null when it was answered with none. */
  take(signal?: AbortSignal): Promise<Taken | null>;
  takeAnswer(signal?: AbortSignal): Promise<Answer>;
  takeBatch(size: number): Promise<Taken[]>;
  /** Posts a result (or progress) the way the public worker does: JSON labelled as form data. */
  done(jobId: string, result: object | string, query?: string): Promise<Answer>;
  stream(jobId: string, chunk: object | string): Promise<Answer>;
  stops(signal?: AbortSignal): Promise<Answer>;
  /** Names the jobs that it has: those that it took and whose result was not yet accepted, unless told otherwise. */
  ping(jobIds?: Iterable<string>): Promise<Answer>;
}

const asForm = { 'content-type': 'application/x-www-form-urlencoded', charset: 'utf-8' };
const text = (value: object | string): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A worker of `endpointId`; it is known to the engine from its first request on. */
export function createOutsideWorker(
  engine: TestEngine,
  endpointId: string,
  id = `outside-${randomBytes(4).toString('hex')}`,
): OutsideWorker {
  const { http } = engine;
  const authorization = engine.key;
  const at = (operation: string, jobId?: string, query = '') =>
    `/v2/${endpointId}/${operation}/${id}${jobId === undefined ? '' : `/${jobId}`}?gpu=none${query}`;
  const polling = (signal: AbortSignal | undefined) => ({ authorization, ...(signal ? { signal } : {}) });
  const post = (path: string, body: object | string, jobId: string) =>
    http.post(path, text(body), { authorization, headers: { ...asForm, 'x-request-id': jobId } });

  const takeAnswer = (signal?: AbortSignal) =>
    http.get(at('job-take', undefined, '&job_in_progress=0'), polling(signal));

  const has = new Set<string>();
  const got = (taken: Taken): Taken => {
    has.add(taken.id);
    return taken;
  };

  return {
    id,
    takeAnswer,
    take: async (signal) => {
      const answer = await takeAnswer(signal);
      if (answer.status === 204) return null;
      if (answer.status !== 200) throw new Error(`job-take answered ${answer.status}: ${answer.text}`);
      return got(takenSchema.parse(answer.json));
    },
    takeBatch: async (size) => {
      const path = at('job-take-batch', undefined, `&job_in_progress=0&batch_size=${size}`);
      const answer = await http.get(path, { authorization });
      if (answer.status === 204) return [];
      if (answer.status !== 200) throw new Error(`job-take-batch answered ${answer.status}: ${answer.text}`);
      return z.array(takenSchema).parse(answer.json).map(got);
    },
    done: async (jobId, result, query = '&isStream=false') => {
      const answer = await post(at('job-done', jobId, query), result, jobId);
      const progress = typeof result === 'object' && 'status' in result && result.status === 'IN_PROGRESS';
      if (!progress) has.delete(jobId);
      return answer;
    },
    stream: (jobId, chunk) => post(at('job-stream', jobId, '&isStream=false'), chunk, jobId),
    stops: (signal) => http.get(at('job-stop'), polling(signal)),
    ping: (jobIds = has) => {
      const busy = [...jobIds].join(',');
      return http.get(`${at('ping')}&runpod_version=1.12.0${busy === '' ? '' : `&job_id=${busy}`}`, { authorization });
    },
  };
}
