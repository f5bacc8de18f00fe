/** The one list of what must not be written down: keys in use, keys by their shape, and secrets by the names of their fields. */
import { hideKeys, MASK } from '#contract/core/secretPatterns.ts';

/** Field names whose value is a secret, wherever they stand. */
export const secretField =
  /^(authorization|cookie|set-cookie|password|passphrase|secret|token|private_?key|(api|run|data|first|access)_?key|access_?secret|access_?id|key)$/i;

const bearer = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi;
/** Secrets in addresses: `?api_key=…`, `?pair=…`, `//user:password@`. */
const inQuery = /([?&](?:api_key|key|token|pair|secret|signature)=)[^&\s"']+/gi;
const inAuthority = /(\/\/[^\s/:@"']*:)[^\s/@"']+@/g;
/** `"accessSecret":"…"` in JSON text, also where that text is itself inside a JSON string. */
const inJson =
  /(\\*"(?:authorization|cookie|password|passphrase|secret|token|apiKey|api_key|runKey|dataKey|firstKey|accessId|accessSecret)\\*"\s*:\s*\\*")[^"\\]*/gi;

/** As many as a person has accounts, and what was typed wrong before it was right. */
const MOST_IN_USE = 1000;
/** Shorter values occur in harmless texts, so they are not masked. */
const LEAST_LENGTH = 8;
/** Keys that requests of this run carried, in every spelling; those of other services have shapes of their own. */
const inUse = new Set<string>();

/** How a secret is spelt: as it is, in an address, in JSON text, and as a part of it in base64, wherever it begins there. */
function spellings(secret: string): string[] {
  const inBase64 = [0, 1, 2].map((ahead) => {
    const text = Buffer.concat([Buffer.alloc(ahead), Buffer.from(secret)]).toString('base64');
    // What its neighbours have a share in is left out.
    return text.slice(ahead === 0 ? 0 : ahead + 1, -4);
  });
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...inBase64])];
}

/** From now on it is written down nowhere, whatever it looks like. */
export function neverWrite(secret: string): void {
  if (inUse.has(secret)) return;
  for (const text of spellings(secret)) if (text.length >= LEAST_LENGTH) inUse.add(text);
  for (const oldest of inUse) {
    if (inUse.size <= MOST_IN_USE) break;
    inUse.delete(oldest);
  }
}

/** The text without what looks like a secret, and without the given ones. */
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
