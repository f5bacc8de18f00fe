/** OSC 52: a program in a terminal asks to copy a text to the clipboard of the person, for example an editor over SSH. */
import { bytesOfBase64 } from '../../../client/transport/decodeBytes.ts';

/** Longer texts are refused: a person cannot judge them. In characters. */
const LONGEST = 100_000;

/**
 * The text that the program wants to copy, from the data of the sequence (`c;` and base64 of UTF-8). Null if it is not
 * such a request: a program never reads the clipboard (`c;?`), and an empty text would only clear it.
 */
export function textToCopy(data: string): string | null {
  const [, base64] = /^[a-z0-7]*;([A-Za-z0-9+/]+={0,2})$/.exec(data) ?? [];
  if (base64 === undefined || base64.length > LONGEST * 2) return null;
  try {
    const bytes = bytesOfBase64(base64);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text !== '' && text.length <= LONGEST ? text : null;
  } catch {
    // No base64, or no UTF-8: it is not a text.
    return null;
  }
}
