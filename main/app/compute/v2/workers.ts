/** The workers of an endpoint in REST v2, which reports their current state and no history. */
import type { Lane, LaneSpan } from '#contract/local/log.ts';
import * as z from 'zod';
import type { RestV2 } from './client.ts';
import type { WorkersApi } from '../workers.ts';

const workerSchema = z.looseObject({
  id: z.string(),
  status: z.string().catch(''),
  startedAt: z.string().nullish().catch(null),
});
const answerSchema = z.looseObject({ workers: z.array(workerSchema) });

const states: Readonly<Record<string, LaneSpan['state']>> = {
  RUNNING: 'running',
  IDLE: 'idle',
  INITIALIZING: 'starting',
  THROTTLED: 'preparing',
  UNHEALTHY: 'stopping',
};

export const workersOf = async (rest: RestV2, endpointId: string) =>
  (await rest.ask('GET', `serverless/${encodeURIComponent(endpointId)}/workers`, answerSchema)).workers;

export const createWorkersV2 = (rest: RestV2): WorkersApi => ({
  lanes: async (endpointId) =>
    (await workersOf(rest, endpointId)).map(({ id, status, startedAt, ...fields }): Lane => {
      const from = startedAt ?? new Date().toISOString();
      const isUnhealthy = status === 'UNHEALTHY';
      const reason = 'The service reports that this worker is unhealthy.';
      return {
        ...fields,
        workerId: id,
        endpointId,
        status,
        spans: [{ state: states[status] ?? 'idle', from, to: null, jobIds: [] }],
        end: isUnhealthy ? { at: new Date().toISOString(), reason, unhealthy: true } : null,
      };
    }),
});
