/** JSON as text: laid out for reading without being parsed, so that large numbers and key order stay as they came. */

/** Lays JSON text out with two spaces. Text that is not JSON comes back laid out as far as it goes. */
export const indentJson = (text: string): string => layOut(text, (depth) => `\n${'  '.repeat(depth)}`, '');

/** As `indentJson` for JSON on one line; text with lines of its own stays as its author laid it out. */
export const indentLine = (text: string): string => (text.trim().includes('\n') ? text : indentJson(text.trim()));

/** The whole text on one line. */
export const lineJson = (text: string): string => layOut(text, () => '', ' ');

function layOut(text: string, newlineAt: (depth: number) => string, afterComma: string): string {
  const parts: string[] = [];
  let depth = 0;
  let at = 0;
  const newline = () => newlineAt(depth);
  while (at < text.length) {
    const char = text[at] ?? '';
    if (char === '"') {
      const end = stringEnd(text, at);
      parts.push(text.slice(at, end));
      at = end;
      continue;
    }
    at += 1;
    if (char === '{' || char === '[') {
      const next = skipSpace(text, at);
      const closing = text[next];
      if (closing === '}' || closing === ']') {
        parts.push(char, closing);
        at = next + 1;
      } else {
        depth += 1;
        parts.push(char, newline());
      }
    } else if (char === '}' || char === ']') {
      depth = Math.max(0, depth - 1);
      parts.push(newline(), char);
    } else if (char === ',') parts.push(char, newline(), afterComma);
    else if (char === ':') parts.push(': ');
    else if (char.trim() !== '') parts.push(char);
  }
  return parts.join('');
}

/** The position after the string that opens at `from`; the end of the text when it never closes. */
function stringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && (text[at] ?? '').trim() === '') at += 1;
  return at;
}

/** The string that the JSON text stands for, or null when it is something else. */
export function jsonString(text: string): string | null {
  if (!text.trimStart().startsWith('"')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : null;
  } catch {
    // Cut off on its way; shown as it came.
    return null;
  }
}
