/**
 * Masks secrets in everything that is written: keys in use, keys by their pattern, and secrets by the names of their
 * fields.
 */
import { hideKeys, MASK } from '#contract/core/secretPatterns.ts';

/** Names of fields with secret values. */
export const secretField =
  /^(authorization|cookie|set-cookie|password|passphrase|secret|token|private_?key|(api|run|data|first|access)_?key|access_?secret|access_?id|key)$/i;

const bearer = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi;
/** Secrets in URLs: `?api_key=…`, `?pair=…`, `//user:password@`. */
const inQuery = /([?&](?:api_key|key|token|pair|secret|(?:x-amz-)?signature)=)[^&\s"']+/gi;
const inAuthority = /(\/\/[^\s/:@"']*:)[^\s/@"']+@/g;
/** `"accessSecret":"…"` in JSON text, also if that text is inside a JSON string. */
const inJson =
  /(\\*"(?:authorization|cookie|password|passphrase|secret|token|apiKey|api_key|runKey|dataKey|firstKey|accessId|accessSecret)\\*"\s*:\s*\\*")[^"\\]*/gi;

/** Enough for all accounts of a person, and for mistyped keys. */
const MOST_IN_USE = 1000;
/** Shorter values also occur in harmless texts, so they are not masked. */
const LEAST_LENGTH = 8;
/** Keys of requests of this run, in every spelling. Keys of other services have other patterns. */
const inUse = new Set<string>();

/** The spellings of a secret: plain, in a URL, in JSON text, and as a part of base64 text at any offset. */
function spellings(secret: string): string[] {
  const inBase64 = [0, 1, 2].map((ahead) => {
    const text = Buffer.concat([Buffer.alloc(ahead), Buffer.from(secret)]).toString('base64');
    // Without the characters that also depend on the neighbouring bytes.
    return text.slice(ahead === 0 ? 0 : ahead + 1, -4);
  });
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...inBase64])];
}

/** From now on, the secret is masked in everything that is written, whatever its pattern. */
export function neverWrite(secret: string): void {
  if (inUse.has(secret)) return;
  for (const text of spellings(secret)) if (text.length >= LEAST_LENGTH) inUse.add(text);
  for (const oldest of inUse) {
    if (inUse.size <= MOST_IN_USE) break;
    inUse.delete(oldest);
  }
}

/** Masks patterns of secrets and the values of `secrets`. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, MASK);
  for (const secret of inUse) clean = clean.replaceAll(secret, MASK);
  return hideKeys(clean)
    .replace(bearer, `$1 ${MASK}`)
    .replace(inQuery, `$1${MASK}`)
    .replace(inAuthority, `$1${MASK}@`)
    .replace(inJson, `$1${MASK}`);
}
