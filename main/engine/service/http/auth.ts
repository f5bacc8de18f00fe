/** Who calls, whether they may, and that what they have open ends once they may no longer. */
import { AppError } from '#contract/core/errors.ts';
import type { ApiKeyScope } from '#contract/local/engine.ts';
import type { ApiKeys, Caller } from '../../domain/access/apiKeys.ts';
import type { Logger } from '../../domain/core/ports.ts';
import { keyOf } from './compat.ts';
import { sendError } from './errorMapper.ts';
import { isBrief, type JobRequest, type JobResponse } from './types.ts';

/** What a route asks of its caller: `worker` is the worker protocol of one endpoint. */
export type RequiredScope = 'read' | 'jobs' | 'all' | 'worker';

const grants: Record<ApiKeyScope, readonly RequiredScope[]> = {
  all: ['read', 'jobs', 'all', 'worker'],
  jobs: ['read', 'jobs'],
  read: ['read'],
  // Of its own endpoints, and nowhere else.
  endpoints: ['read', 'jobs'],
};

/** The endpoint that a path is about: of its jobs, and of its workers' own pages. There is none on all other paths. */
export interface EndpointScope {
  readonly endpointId: string;
  /** Of the worker protocol; empty on other paths. */
  readonly workerId: string;
}

const needWords: Record<RequiredScope, string> = {
  read: 'reading',
  jobs: 'sending jobs',
  all: 'changing templates, endpoints and keys',
  worker: 'working on jobs',
};

/** Whether a caller is good for `need`, wherever that is. */
const grantsNeed = (caller: Caller, need: RequiredScope): boolean =>
  caller.kind === 'key' ? grants[caller.scope].includes(need) : need === 'worker';

/** Whether what the caller reads may be taken from others by that, as the chunks of /stream are. */
export const mayConsume = (caller: Caller): boolean => grantsNeed(caller, 'jobs');

/** Whether a caller is told what is secret: the values of variables, and addresses in full. */
export const maySeeSecrets = (caller: Caller | null): boolean => caller !== null && grantsNeed(caller, 'all');

/** Throws UNAUTHORIZED where there is no caller, FORBIDDEN where the caller is good for less than `need`. */
function permit(caller: Caller | null, need: RequiredScope, place: EndpointScope | null): Caller {
  if (caller === null) {
    throw new AppError('UNAUTHORIZED', 'This API key is not known here, or it is disabled.');
  }
  const here = caller.kind === 'key' || (caller.endpointId === place?.endpointId && caller.workerId === place.workerId);
  if (!here || !grantsNeed(caller, need)) {
    const credential =
      caller.kind === 'key' ? `This API key has the scope "${caller.scope}"` : 'This is the key of a worker';
    throw new AppError('FORBIDDEN', `${credential}, which does not allow ${needWords[need]}.`);
  }
  if (caller.kind === 'key' && caller.scope === 'endpoints') checkPlace(caller.endpointIds, place);
  return caller;
}

/** The key in the header of a request. Throws UNAUTHORIZED where there is none. */
export function neededKey({ headers }: Pick<JobRequest, 'headers'>): string {
  const key = keyOf(headers.authorization);
  if (key !== null) return key;
  throw new AppError('UNAUTHORIZED', 'An API key is needed: send it as "Authorization: Bearer <key>".');
}

/** Throws UNAUTHORIZED without a good key, FORBIDDEN where the key is good for less than `need`. */
export const authorize = (keys: ApiKeys, { key, need, place }: Admission): Caller =>
  permit(keys.check(key), need, place);

/** What a caller was let in for. */
export interface Admission {
  readonly key: string;
  readonly need: RequiredScope;
  readonly place: EndpointScope | null;
}

/**
 * Ends what is open under a key once the key no longer allows it: deleted, disabled, taken back, or good for less than `need` at
 * `place`. What asked for that change is answered first. `open`: is over when it is closed.
 */
export function endWithKey(
  keys: ApiKeys,
  { key, need, place }: Admission,
  open: { on(event: 'close', listener: () => void): unknown },
  end: (error: AppError) => void,
): void {
  const release = keys.watch(key, (caller) => {
    try {
      permit(caller, need, place);
    } catch (error) {
      setImmediate(end, error as AppError);
    }
  });
  open.on('close', release);
}

/** Ends an answer that is not whole: by the reason where nothing was sent, and by cutting it off otherwise. */
export function endAnswer(request: JobRequest, response: JobResponse, error: AppError, logger: Logger): void {
  if (response.destroyed || response.writableEnded) return;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  sendError(response, error, logger);
  // What is still being sent has no place to go.
  if (!isBrief(request) && !request.complete) response.on('finish', () => request.destroy());
}

/** Whatever route does not say which endpoint it is about is none of those such a key is good for. */
function checkPlace(endpointIds: readonly string[], place: EndpointScope | null): void {
  if (place !== null && endpointIds.includes(place.endpointId)) return;
  const good = `This API key is good for jobs of ${endpointIds.map((id) => JSON.stringify(id)).join(', ')} alone`;
  throw new AppError(
    'FORBIDDEN',
    place === null ? `${good}, and for nothing else here.` : `${good}, not of ${JSON.stringify(place.endpointId)}.`,
  );
}
