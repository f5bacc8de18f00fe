/** Who calls, and whether they may. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '#contract/errors.ts';
import type { ApiKeys, Caller } from '../domain/apiKeys.ts';
import { keyOf } from './dialect.ts';

/** What a route asks of its caller: `worker` is the worker protocol of one endpoint. */
export type Need = 'read' | 'jobs' | 'all' | 'worker';

const grants: Record<'all' | 'jobs' | 'read', readonly Need[]> = {
  all: ['read', 'jobs', 'all', 'worker'],
  jobs: ['read', 'jobs'],
  read: ['read'],
};

const needWords: Record<Need, string> = {
  read: 'reading',
  jobs: 'sending jobs',
  all: 'changing templates, endpoints and keys',
  worker: 'working on jobs',
};

/** `work`: whose worker protocol is spoken, on its paths. Throws UNAUTHORIZED without a good key, FORBIDDEN where the key is good for less than `need`. */
export function authorize(
  request: IncomingMessage,
  keys: ApiKeys,
  need: Need,
  work: { endpointId: string; workerId: string } | null,
): Caller {
  const key = keyOf(request.headers.authorization);
  if (key === null) {
    throw new AppError('UNAUTHORIZED', 'An API key is needed: send it as "Authorization: Bearer <key>".');
  }
  return authorizeKey(key, keys, need, work);
}

/** The same for a key that came another way than in the header. */
export function authorizeKey(
  key: string,
  keys: ApiKeys,
  need: Need,
  work: { endpointId: string; workerId: string } | null,
): Caller {
  const caller = keys.check(key);
  if (caller === null) {
    throw new AppError('UNAUTHORIZED', 'This API key is not known here, or it is disabled.');
  }
  const allowed =
    caller.kind === 'key'
      ? grants[caller.scope].includes(need)
      : need === 'worker' && caller.endpointId === work?.endpointId && caller.workerId === work.workerId;
  if (!allowed) {
    const what = caller.kind === 'key' ? `This API key has the scope "${caller.scope}"` : 'This is the key of a worker';
    throw new AppError('FORBIDDEN', `${what}, which does not allow ${needWords[need]}.`);
  }
  return caller;
}
