/** Takes secrets out of a request body before it is stored. */
import * as z from 'zod';
import { topLevelSpans } from '#contract/core/jsonScanner.ts';
import { neverWrite, secretField } from '../platform/redaction.ts';

/** The fields of s3Config that are not secret; all others are masked. */
const OPEN_FIELDS: ReadonlySet<string> = new Set(['bucketName', 'endpointUrl']);
const MASK = '"•••"';

/** Masks every value of `s3Config` that may be secret; the rest of the body stays as it was written. */
export function maskSecrets(body: string): string {
  // The scanner finds only the last value of a repeated field: such a body is rewritten, which keeps only the last
  // value.
  const count = body.split('"s3Config"').length - 1;
  const text = count > 1 ? JSON.stringify(JSON.parse(body)) : body;
  const config = topLevelSpans(text).get('s3Config');
  if (config === undefined) return text;
  const raw = text.slice(config.start, config.end);
  if (!raw.startsWith('{')) return text.slice(0, config.start) + MASK + text.slice(config.end);
  const fields = [...topLevelSpans(raw)].map(([key, { start, end }]) => {
    const value: unknown = secretField.test(key) ? JSON.parse(raw.slice(start, end)) : null;
    // Answers about the job may repeat the secret.
    if (typeof value === 'string') neverWrite(value);
    return `${JSON.stringify(key)}:${OPEN_FIELDS.has(key) ? raw.slice(start, end) : MASK}`;
  });
  return `${text.slice(0, config.start)}{${fields.join(',')}}${text.slice(config.end)}`;
}

/**
 * The body without its webhook: the address often has a token, and a program that sent the job has it itself. The rest
 * stays as it was written, except where the key is repeated or escaped.
 */
export function withoutWebhook(body: string): string {
  const span = body === '' ? undefined : topLevelSpans(body).get('webhook');
  if (span === undefined) return body;
  const key = '"webhook"';
  if (body.split(key).length !== 2) {
    const { webhook: _webhook, ...rest } = z.looseObject({}).parse(JSON.parse(body));
    return JSON.stringify(rest);
  }
  const before = body.slice(0, body.indexOf(key)).trimEnd();
  const after = body.slice(span.end).trimStart();
  // One of the commas around it goes as well.
  return after.startsWith(',') ? before + after.slice(1).trimStart() : before.replace(/,$/, '') + after;
}
