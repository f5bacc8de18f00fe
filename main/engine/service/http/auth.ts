/** Callers: their keys and scopes, and the end of their open requests once their key no longer allows them. */
import { AppError, toAppError } from '#contract/core/errors.ts';
import type { ApiKeyScope } from '#contract/local/engine.ts';
import type { ApiKeys, Caller } from '../../domain/access/apiKeys.ts';
import type { Logger } from '../../domain/core/ports.ts';
import { keyOf } from './compat.ts';
import { sendError } from './errorMapper.ts';
import { isBrief, type JobRequest, type JobResponse } from './types.ts';

/** The scope that a route needs. `worker` is the worker protocol of one endpoint. */
export type RequiredScope = 'read' | 'jobs' | 'all' | 'worker';

const grants: Record<ApiKeyScope, readonly RequiredScope[]> = {
  all: ['read', 'jobs', 'all', 'worker'],
  jobs: ['read', 'jobs'],
  read: ['read'],
  // Only for its own endpoints; `checkPlace` sees to that.
  endpoints: ['read', 'jobs'],
};

/** The endpoint of a path: of jobs, of the worker protocol, or of load balancing. Other paths have none. */
export interface EndpointScope {
  readonly endpointId: string;
  /** The worker of the worker protocol; empty on other paths. */
  readonly workerId: string;
}

const needWords: Record<RequiredScope, string> = {
  read: 'reading',
  jobs: 'sending jobs',
  all: 'changing templates, endpoints and keys',
  worker: 'working on jobs',
};

/** Whether the caller's scope includes `need`, at any endpoint. */
const grantsNeed = (caller: Caller, need: RequiredScope): boolean =>
  caller.kind === 'key' ? grants[caller.scope].includes(need) : need === 'worker';

/** The name of the caller's key; null for the key of the run, and without a caller. */
export const keyNameOf = (caller: Caller | null): string | null => (caller?.kind === 'key' ? caller.name : null);

/** Whether the caller consumes the chunks of /stream that it reads, so that no other reader gets them. */
export const mayConsume = (caller: Caller): boolean => grantsNeed(caller, 'jobs');

/** Whether the caller sees secrets: the values of variables, and whole addresses. */
export const maySeeSecrets = (caller: Caller | null): boolean => caller !== null && grantsNeed(caller, 'all');

/** Returns the caller. Throws UNAUTHORIZED without one, FORBIDDEN where its scope does not include `need`. */
function permit(caller: Caller | null, need: RequiredScope, place: EndpointScope | null): Caller {
  if (caller === null) {
    throw new AppError(
      'UNAUTHORIZED',
      'This computer refuses the API key. It is mistyped, deleted or disabled, or a key of another computer. Create one here: Settings, Keys, or "hangar keys create".',
    );
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

/** The key in the header of a request. Throws UNAUTHORIZED without one. */
export function neededKey({ headers }: Pick<JobRequest, 'headers'>): string {
  const key = keyOf(headers.authorization);
  if (key !== null) return key;
  throw new AppError('UNAUTHORIZED', 'An API key is needed: send it as "Authorization: Bearer <key>".');
}

/**
 * Returns the caller of a key. Throws UNAUTHORIZED for an unknown key, FORBIDDEN where its scope does not include
 * `need`.
 */
export const authorize = (keys: ApiKeys, { key, need, place }: Admission): Caller =>
  permit(keys.check(key), need, place);

/** A key, and the scope and endpoint that it was checked for. */
export interface Admission {
  readonly key: string;
  readonly need: RequiredScope;
  readonly place: EndpointScope | null;
}

/**
 * Calls `end` once the key no longer allows an open request: it is deleted, disabled or revoked, or its scope no longer
 * includes `need` at `place`. The request that changed the key is answered first. The watch ends when `open` closes.
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
      setImmediate(end, toAppError(error));
    }
  });
  open.on('close', release);
}

/** Ends an unfinished answer: with the error where nothing was sent yet, by closing the connection otherwise. */
export function endAnswer(request: JobRequest, response: JobResponse, error: AppError, logger: Logger): void {
  if (response.destroyed || response.writableEnded) return;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  sendError(response, error, logger);
  // Nobody reads the rest of the request.
  if (!isBrief(request) && !request.complete) response.on('finish', () => request.destroy());
}

/** Throws FORBIDDEN unless the path is of one of these endpoints. A path without an endpoint is of none. */
function checkPlace(endpointIds: readonly string[], place: EndpointScope | null): void {
  if (place !== null && endpointIds.includes(place.endpointId)) return;
  const good = `This API key is good for jobs of ${endpointIds.map((id) => JSON.stringify(id)).join(', ')} alone`;
  throw new AppError(
    'FORBIDDEN',
    place === null ? `${good}, and for nothing else here.` : `${good}, not of ${JSON.stringify(place.endpointId)}.`,
  );
}
