/** The text of a line of a terminal that may be wrapped over several rows, with the cell of each character. */
import type { IBuffer, IBufferRange } from '@xterm/xterm';

/** A line that is longer is searched in part, in rows above and below. */
const MOST_ROWS = 24;

export interface LineText {
  text: string;
  /** The cells of a part of the text, counted from 1 as the links of xterm are; `end` is behind the part. */
  rangeOf(start: number, end: number): IBufferRange;
}

/** `row`: the index of one of the rows of the line, from 0. */
export function lineText(buffer: Pick<IBuffer, 'getLine'>, row: number): LineText {
  let first = row;
  while (first > row - MOST_ROWS && buffer.getLine(first)?.isWrapped === true) first -= 1;
  let text = '';
  /** The column and the row of each character, and the width of its cell. */
  const cells: { x: number; y: number; width: number }[] = [];
  for (let y = first; y < row + MOST_ROWS; y += 1) {
    const line = buffer.getLine(y);
    if (line === undefined || (y > first && !line.isWrapped)) break;
    const next = buffer.getLine(y + 1);
    for (let x = 0; x < line.length; x += 1) {
      const cell = line.getCell(x);
      const width = cell?.getWidth() ?? 1;
      const chars = cell?.getChars() ?? '';
      // The second cell of a wide character; and the last one of a row, if a wide character did not fit.
      const isUnused = x === line.length - 1 && chars === '' && next?.isWrapped === true;
      if (width === 0 || (isUnused && next.getCell(0)?.getWidth() === 2)) continue;
      const shown = chars === '' ? ' ' : chars;
      text += shown;
      for (let unit = 0; unit < shown.length; unit += 1) cells.push({ x, y, width });
    }
  }
  return {
    text,
    rangeOf(start, end) {
      const from = cells[start] ?? { x: 0, y: row, width: 1 };
      const to = cells[end - 1] ?? from;
      return { start: { x: from.x + 1, y: from.y + 1 }, end: { x: to.x + to.width, y: to.y + 1 } };
    },
  };
}
