/** Requests whose bodies and answers are JSON. */
import type * as z from 'zod';
import type { Call, Outbound } from './outbound.ts';
import { readJson } from './parsers.ts';

/**
 * Rejects as `send` of Outbound does, and with UPSTREAM for an answer of another shape. No `body` is sent for
 * undefined.
 */
export type SendJson = <S extends z.ZodType>(
  method: Call['method'],
  path: string,
  answer: S,
  body?: unknown,
) => Promise<z.output<S>>;

/** `root`: the beginning of each path, which messages leave out. */
export const createSendJson =
  (outbound: Pick<Outbound, 'send'>, root = ''): SendJson =>
  async (method, path, answer, body) => {
    const call: Call = { method, path: root + path, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return readJson(path, await outbound.send(call), answer);
  };
