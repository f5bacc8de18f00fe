/** Text for a terminal: no control sequences, and measured in cells. */
import stringWidth from 'string-width';

const ELLIPSIS = '…';
const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Cells that the text takes on a terminal. */
export const widthOf = (text: string): number => stringWidth(text);

/**
 * Text of an endpoint, a worker or an account without terminal escape sequences, which could hide or forge lines. Line
 * breaks and tabs stay.
 */
export const harmless = (text: string): string =>
  text.replaceAll(/(?![\n\t])\p{Cc}/gu, '\uFFFD').replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '');

/** As `harmless`, on one line. */
export const oneLine = (text: string): string => harmless(text.replaceAll(/\s*[\r\n\t]+\s*/g, ' ')).trim();

/** At most `width` cells; a cut text ends in an ellipsis. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let result = '';
  let used = 0;
  for (const { segment } of segments.segment(text)) {
    const cells = widthOf(segment);
    if (used + cells > width - 1) break;
    result += segment;
    used += cells;
  }
  return width < 1 ? '' : `${result.trimEnd()}${ELLIPSIS}`;
}

/** Padded with spaces to `width` cells. */
export function padded(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? text + space : space + text;
}

/** Words on lines of at most `width` cells; a longer word has its own line. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
