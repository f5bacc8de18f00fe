/** The one list of what must not be written down: keys by their shape, and secrets by the names of their fields. */

const MASK = '•••';

/** Field names whose value is a secret, wherever they stand. */
export const secretField =
  /^(authorization|cookie|set-cookie|password|passphrase|secret|token|private_?key|(api|run|data|first|access)_?key|access_?secret|access_?id|key)$/i;

/** Keys of Hangar and of the public service, wherever they stand in a text. */
const keyShape = /\brpa_[A-Za-z0-9_-]{6,}/g;
const bearer = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi;
/** Secrets in addresses: `?api_key=…`, `?pair=…`, `//user:password@`. */
const inQuery = /([?&](?:api_key|key|token|pair|secret|signature)=)[^&\s"']+/gi;
const inAuthority = /(\/\/[^\s/:@"']*:)[^\s/@"']+@/g;
/** `"accessSecret":"…"` in JSON text, also where that text is itself inside a JSON string. */
const inJson =
  /(\\*"(?:authorization|cookie|password|passphrase|secret|token|apiKey|api_key|runKey|dataKey|firstKey|accessId|accessSecret)\\*"\s*:\s*\\*")[^"\\]*/gi;

/** The text without what looks like a secret, and without the given ones. */
export function redact(text: string, known: readonly string[] = []): string {
  let clean = text;
  for (const secret of known) if (secret !== '') clean = clean.replaceAll(secret, MASK);
  return clean
    .replace(keyShape, MASK)
    .replace(bearer, `$1 ${MASK}`)
    .replace(inQuery, `$1${MASK}`)
    .replace(inAuthority, `$1${MASK}@`)
    .replace(inJson, `$1${MASK}`);
}
