/** What failed about the container of a Pod, for a person. */
import { AppError } from '#contract/core/errors.ts';
import type { ContainerEngine } from '../engine/discovery.ts';
import { startFailure, type StartContext } from '../engine/errorMessages.ts';

type Operation = Pick<ContainerEngine, 'name'> &
  ({ doing: string } | Pick<StartContext, 'phase' | 'image' | 'credentials'>);

const GONE = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

export const isStatus = (error: unknown, ...codes: number[]): boolean =>
  codes.includes((error as { statusCode?: number }).statusCode ?? 0);

/** Of what was wanted of a container that has ended already, or is gone. */
export const passed = (error: unknown): void => {
  if (!isStatus(error, 304, 404, 409)) throw error;
};

/** UNAVAILABLE where the engine has gone; BAD_REQUEST where it answers, and refuses. */
export function podFailure(error: Error & { code?: string }, operation: Operation): AppError {
  if (error instanceof AppError) return error;
  if (GONE.has(error.code ?? '')) {
    const message = `${operation.name} stopped answering. Look whether it runs, then try again.`;
    return new AppError('UNAVAILABLE', message, { cause: error });
  }
  if ('doing' in operation) {
    const text = error.message.replace(/^\(HTTP code \d+\) [^-]* - /, '').trim();
    return new AppError('INTERNAL', `${operation.name} could not ${operation.doing}: ${text}`, { cause: error });
  }
  const { phase, image, credentials, name: engine } = operation;
  const startMessage = startFailure(error, { phase, image, credentials, engine, of: 'Pod' });
  return new AppError('BAD_REQUEST', startMessage, { cause: error });
}

/** Why a start was broken off. */
export function stopped({ reason }: AbortSignal): AppError {
  if (reason instanceof AppError) return reason;
  return new AppError('CONFLICT', 'The Pod was stopped before it ran.', { cause: reason });
}
