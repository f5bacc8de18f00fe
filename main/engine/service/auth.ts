/** Who calls, and whether they may. */
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '#contract/errors.ts';
import type { ApiKeyScope } from '#contract/local.ts';
import type { ApiKeys, Caller } from '../domain/apiKeys.ts';
import { keyOf } from './dialect.ts';

/** What a route asks of its caller: `worker` is the worker protocol of one endpoint. */
export type Need = 'read' | 'jobs' | 'all' | 'worker';

const grants: Record<ApiKeyScope, readonly Need[]> = {
  all: ['read', 'jobs', 'all', 'worker'],
  jobs: ['read', 'jobs'],
  read: ['read'],
  // Of its own endpoints, and nowhere else.
  endpoints: ['read', 'jobs'],
};

/** Where a request is about one endpoint: on the paths of its jobs and of its workers' own pages. */
export interface Place {
  readonly endpointId: string;
  /** Of the worker protocol; empty on other paths. */
  readonly workerId: string;
}

const needWords: Record<Need, string> = {
  read: 'reading',
  jobs: 'sending jobs',
  all: 'changing templates, endpoints and keys',
  worker: 'working on jobs',
};

/** `place`: the endpoint that the path is about; null on all other paths. Throws UNAUTHORIZED without a good key, FORBIDDEN where the key is good for less than `need`. */
export function authorize(
  request: { headers: IncomingHttpHeaders },
  keys: ApiKeys,
  need: Need,
  place: Place | null,
): Caller {
  const key = keyOf(request.headers.authorization);
  if (key === null) {
    throw new AppError('UNAUTHORIZED', 'An API key is needed: send it as "Authorization: Bearer <key>".');
  }
  return authorizeKey(key, keys, need, place);
}

/** The same for a key that came another way than in the header. */
export function authorizeKey(key: string, keys: ApiKeys, need: Need, place: Place | null): Caller {
  const caller = keys.check(key);
  if (caller === null) {
    throw new AppError('UNAUTHORIZED', 'This API key is not known here, or it is disabled.');
  }
  const allowed =
    caller.kind === 'key'
      ? grants[caller.scope].includes(need)
      : need === 'worker' && caller.endpointId === place?.endpointId && caller.workerId === place.workerId;
  if (!allowed) {
    const what = caller.kind === 'key' ? `This API key has the scope "${caller.scope}"` : 'This is the key of a worker';
    throw new AppError('FORBIDDEN', `${what}, which does not allow ${needWords[need]}.`);
  }
  if (caller.kind === 'key' && caller.scope === 'endpoints') checkPlace(caller.endpointIds, place);
  return caller;
}

/** Whatever route does not say which endpoint it is about is none of those such a key is good for. */
function checkPlace(endpointIds: readonly string[], place: Place | null): void {
  if (place !== null && endpointIds.includes(place.endpointId)) return;
  const good = `This API key is good for jobs of ${endpointIds.map((id) => JSON.stringify(id)).join(', ')} alone`;
  throw new AppError(
    'FORBIDDEN',
    place === null ? `${good}, and for nothing else here.` : `${good}, not of ${JSON.stringify(place.endpointId)}.`,
  );
}
