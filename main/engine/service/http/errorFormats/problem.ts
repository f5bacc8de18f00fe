/** Errors of REST v2 on the wire: problem details (RFC 9457). */
import { STATUS_CODES } from 'node:http';
import * as z from 'zod';
import { errorStatus, type AppError } from '#contract/core/errors.ts';
import { REST_V2_BASE } from '../restV2Address.ts';

export const PROBLEM_TYPE = 'application/problem+json';

export const problemSchema = z.strictObject({
  title: z.string(),
  status: z.int(),
  detail: z.string().meta({ description: 'What was wrong, for a person.' }),
  errors: z
    .array(z.string())
    .optional()
    .meta({ description: 'Of a 422: everything that is wrong, with the field it is about.' }),
});

export const isRestV2Path = (url: string | undefined): boolean =>
  url !== undefined && (url === REST_V2_BASE || /^\/rest\/v2[/?]/.test(url));

export function problemBody({ code, message, details }: Pick<AppError, 'code' | 'message' | 'details'>): string {
  const status = errorStatus[code];
  const errors: unknown = details?.['errors'];
  return JSON.stringify({
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail: message,
    ...(Array.isArray(errors) && { errors }),
  });
}
