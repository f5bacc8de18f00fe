/** Messages for a person about failed operations on the container of a Pod. */
import { AppError } from '#contract/core/errors.ts';
import type { ContainerEngine } from '../engine/discovery.ts';
import { bare, isConnectionLost, isStatus, startFailure, type StartContext } from '../engine/errorMessages.ts';

type Operation = Pick<ContainerEngine, 'name'> &
  ({ doing: string } | (Pick<StartContext, 'phase' | 'image' | 'credentials'> & Partial<Pick<StartContext, 'of'>>));

/** Ignores the error of a request for a container that has ended already, or is gone. */
export const passed = (error: unknown): void => {
  if (!isStatus(error, 304, 404, 409)) throw error;
};

/**
 * UNAVAILABLE where the engine is gone, BAD_REQUEST where it refuses a start, INTERNAL where it refuses another
 * operation.
 */
export function podFailure(error: unknown, operation: Operation): AppError {
  if (error instanceof AppError) return error;
  if (isConnectionLost(error)) {
    const message = `${operation.name} stopped answering. Check whether it is running, then try again.`;
    return new AppError('UNAVAILABLE', message, { cause: error });
  }
  if ('doing' in operation) {
    return new AppError('INTERNAL', `${operation.name} could not ${operation.doing}: ${bare(error)}.`, {
      cause: error,
    });
  }
  const { phase, image, credentials, name: engine, of = 'Pod' } = operation;
  const startMessage = startFailure(error, { phase, image, credentials, engine, of });
  return new AppError('BAD_REQUEST', startMessage, { cause: error });
}

/** The error of an aborted start. */
export function stopped({ reason }: AbortSignal): AppError {
  if (reason instanceof AppError) return reason;
  return new AppError('CONFLICT', 'The Pod was stopped before it ran.', { cause: reason });
}
