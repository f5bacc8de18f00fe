/**
 * Where the output of a terminal can be cut: not within a character or a sequence, and what of it shows no trace any
 * more.
 */

const ESC = 0x1b;
const CR = 0x0d;
const LF = 0x0a;
/** A sequence that is longer than this is not waited for. */
const LONGEST = 64 * 1024;

/** How many bytes at the end belong to a character of UTF-8 of which there is more to come. */
function openCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

/** Whether the sequence is whole: a command, a text up to its end, or a short one. */
function isWhole(sequence: Uint8Array): boolean {
  const kind = sequence[1];
  if (kind === undefined) return false;
  // A command: ESC [, and one sign that ends it.
  if (kind === 0x5b) return sequence.subarray(2).some((byte) => byte >= 0x40 && byte <= 0x7e);
  // A text: ESC ], P, X, ^ or _, up to BEL. Where it ends with ESC \ that is the last sequence.
  if ([0x5d, 0x50, 0x58, 0x5e, 0x5f].includes(kind)) return sequence.includes(0x07);
  return sequence.subarray(1).some((byte) => byte >= 0x30);
}

/** How many of the bytes are whole characters and sequences. */
export function wholeLength(bytes: Uint8Array): number {
  const at = bytes.lastIndexOf(ESC);
  const open = at === -1 || bytes.length - at > LONGEST ? null : bytes.subarray(at);
  return open && !isWhole(open) ? at : bytes.length - openCharacter(bytes);
}

/**
 * What has to be shown of `bytes` so that a screen is what all of them would have made it: of plain text only the last
 * `lines` lines, where `lines` is more than a screen and what has scrolled out of it hold. With anything but plain
 * text, all of it.
 */
export function shownOf(bytes: Uint8Array, lines: number): Uint8Array {
  let ends = 0;
  let from = -1;
  for (let at = bytes.length - 1; at >= 0; at--) {
    const byte = bytes[at] ?? 0;
    if (byte === LF && bytes[at - 1] === CR && ++ends > lines && from === -1) from = at + 1;
    if (byte < 0x20 && byte !== LF && byte !== CR && byte !== 0x09) return bytes;
    // Signs of the second set of controls come as two bytes, of which this is the first.
    if (byte === 0xc2 && (bytes[at + 1] ?? 0) < 0xa0) return bytes;
  }
  return from === -1 ? bytes : bytes.subarray(from);
}
