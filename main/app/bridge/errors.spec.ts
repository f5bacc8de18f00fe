/** Rules of what the page is told when a procedure fails. */
import { ORPCError } from '@orpc/server';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { AppError, errorCodes, errorStatus } from '#contract/core/errors.ts';
import { toBridgeError } from './errors.ts';

function recorder() {
  const lines: string[] = [];
  return { lines, logger: pino({ level: 'debug' }, { write: (line: string) => lines.push(line) }) };
}

describe('toBridgeError', () => {
  it.each(errorCodes)('tells %s with its status, its words and when to try again', (code) => {
    const { logger, lines } = recorder();
    const error = toBridgeError(new AppError(code, 'words', { details: { field: 'x' }, retryAfterMs: 5 }), logger);
    expect(error).toBeInstanceOf(ORPCError);
    expect(error).toMatchObject({
      code,
      status: errorStatus[code],
      message: 'words',
      data: { field: 'x', retryAfterMs: 5 },
    });
    expect(lines).toEqual([]);
  });

  it('logs an unknown failure and tells nothing of its insides', () => {
    const { logger, lines } = recorder();
    const error = toBridgeError(new TypeError('secret insides'), logger);
    expect(error).toMatchObject({ code: 'INTERNAL', status: 500 });
    expect(JSON.stringify(error)).not.toContain('insides');
    expect(error.cause).toBeUndefined();
    expect(lines.join()).toContain('secret insides');
  });

  it('logs no failure where a window stopped its call', () => {
    const { logger, lines } = recorder();
    toBridgeError(AbortSignal.abort().reason, logger);
    toBridgeError(Object.assign(new Error('Client aborted the request'), { name: 'AbortError' }), logger);
    expect(lines.map((line) => (JSON.parse(line) as { level: number }).level)).toEqual([20, 20]);
  });

  it('lets what oRPC refuses through as it is', () => {
    const refused = new ORPCError('BAD_REQUEST', { message: 'Input validation failed' });
    expect(toBridgeError(refused, recorder().logger)).toBe(refused);
  });
});
