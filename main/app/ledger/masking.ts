/** Takes storage secrets out of a request body before it is kept. */
import { topLevelSpans } from '#contract/core/jsonScanner.ts';
import { neverWrite, secretField } from '../platform/redaction.ts';

/** The fields of s3Config that are not secret; all others are masked. */
const OPEN_FIELDS: ReadonlySet<string> = new Set(['bucketName', 'endpointUrl']);
const MASK = '"•••"';

/** The body with every value of `s3Config` masked that could be a secret; the rest stays as it was written. */
export function maskSecrets(body: string): string {
  // A repeated field hides all but its last value from the scanner: write such a body anew, which keeps only the last.
  const count = body.split('"s3Config"').length - 1;
  const text = count > 1 ? JSON.stringify(JSON.parse(body)) : body;
  const config = topLevelSpans(text).get('s3Config');
  if (config === undefined) return text;
  const raw = text.slice(config.start, config.end);
  if (!raw.startsWith('{')) return text.slice(0, config.start) + MASK + text.slice(config.end);
  const fields = [...topLevelSpans(raw)].map(([key, { start, end }]) => {
    const value: unknown = secretField.test(key) ? JSON.parse(raw.slice(start, end)) : null;
    // What comes of the job may repeat it.
    if (typeof value === 'string') neverWrite(value);
    return `${JSON.stringify(key)}:${OPEN_FIELDS.has(key) ? raw.slice(start, end) : MASK}`;
  });
  return `${text.slice(0, config.start)}{${fields.join(',')}}${text.slice(config.end)}`;
}
