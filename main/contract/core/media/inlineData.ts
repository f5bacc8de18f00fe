/** Files inside JSON strings: data addresses, and base64 of which the first bytes tell the format. */
import { formatOfBytes, SNIFFED_BYTES, type MediaFormat } from './signatures.ts';

/** Shorter strings are words and ids. The smallest real picture has more. */
const LEAST_CHARS = 24;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** Both ends of a long string are enough to tell base64 from text. */
const CHECKED_CHARS = 256;
const DATA_ADDRESS = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[\w.+-]+(?:=[^;,]*)?)*),/;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

export interface DataAddress {
  mime: string;
  isBase64: boolean;
  /** What stands after the comma. */
  data: string;
}

/** The parts of a data address; null for any other text. */
export function dataAddressOf(text: string): DataAddress | null {
  const [head, mime = 'text/plain', options = ''] = DATA_ADDRESS.exec(text.slice(0, CHECKED_CHARS)) ?? [];
  if (head === undefined) return null;
  return { mime, isBase64: options.endsWith(';base64'), data: text.slice(head.length) };
}

/** Base64 in the alphabet of web addresses, or with line breaks, in its usual form. */
export const standardBase64 = (data: string): string =>
  data.replaceAll('-', '+').replaceAll('_', '/').replaceAll(/\s/g, '');

/** The format of the bytes of a base64 text; null if it is no base64, or if the format is unknown. */
export function formatOfBase64(value: string): MediaFormat | null {
  const text = value.trimEnd();
  // Line breaks in base64 stand after 64 or 76 characters.
  const ends = (text.slice(0, CHECKED_CHARS) + text.slice(-CHECKED_CHARS)).replaceAll(/[\r\n]/g, '');
  if (text.length < LEAST_CHARS || !BASE64.test(ends.replace(/=+(?=[^=])/g, ''))) return null;
  return formatOfBytes(firstBytes(text));
}

/** As many bytes as a signature looks at; none if they are not base64 after all. */
function firstBytes(data: string): Uint8Array {
  const codes = Array.from(standardBase64(data.slice(0, 2 * SNIFFED_BYTES)), (char) => ALPHABET.indexOf(char));
  if (codes.slice(0, LEAST_CHARS - 2).includes(-1)) return new Uint8Array();
  const bytes: number[] = [];
  for (let at = 0; at + 3 < codes.length && bytes.length < SNIFFED_BYTES; at += 4) {
    const [a = 0, b = 0, c = 0, d = 0] = codes.slice(at, at + 4);
    // A padding sign at the end is no byte.
    bytes.push(
      (a << 2) | (b >> 4),
      ...(c < 0 ? [] : [((b & 15) << 4) | (c >> 2)]),
      ...(d < 0 ? [] : [((c & 3) << 6) | d]),
    );
  }
  return Uint8Array.from(bytes);
}

/** The length of base64 once it is decoded, without decoding it. */
export const decodedBytes = (data: string): number => {
  const end = data.slice(-4).replaceAll(/[=\s]/g, '').length;
  return Math.floor(((data.length - Math.min(4, data.length) + end) * 3) / 4);
};
