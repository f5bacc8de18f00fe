/** The start of a long JSON text as JSON of its own, so that what came first is shown while the rest comes. */

/** A text that is cut off after so many characters is not shown in part: it is a picture, or a document. */
const CUT_STRING_CHARS = 10_000;

const CLOSERS: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
const WORD_END = /[\s,:\]}]/g;

/** The position after the string that begins at `at`; -1 if it is cut off. */
function endOfString(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i += 1) {
    const char = text[i];
    if (char === '\\') i += 1;
    else if (char === '"') return i + 1;
  }
  return -1;
}

/**
 * The list or object of which `start` is the beginning, up to the last value that is whole. Null if no value in it is
 * whole, if it is no list or object, or if a long string is cut off. The whole text must be valid JSON.
 */
export function closeCutJson(start: string): string | null {
  const closers: string[] = [];
  /** The text up to here, with its closers, is whole. */
  let end = 0;
  let values = 0;
  let at = 0;
  while (at < start.length) {
    const char = start[at] ?? '';
    if (char === '"') {
      const after = endOfString(start, at);
      if (after === -1) {
        if (start.length - at > CUT_STRING_CHARS) return null;
        break;
      }
      at = after;
      while (/\s/.test(start[at] ?? '')) at += 1;
      // What follows tells a name from a value.
      if (at === start.length) break;
      if (start[at] === ':') continue;
      end = after;
      values += 1;
    } else if (char in CLOSERS) {
      closers.push(CLOSERS[char] ?? '');
      at += 1;
      end = at;
    } else if (char === closers.at(-1)) {
      closers.pop();
      at += 1;
      end = at;
      values += 1;
      if (closers.length === 0) break;
    } else if (/[\s,:]/.test(char)) {
      at += 1;
    } else {
      WORD_END.lastIndex = at;
      const after = WORD_END.exec(start)?.index;
      if (after === undefined) break;
      at = after;
      end = at;
      values += 1;
    }
    if (closers.length === 0) return null;
  }
  return values === 0 ? null : start.slice(0, end) + closers.toReversed().join('');
}
