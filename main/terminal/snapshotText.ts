/** The text that draws a terminal's screen on an empty one of the same size, and leaves the cursor at its place. */
import type { SerializeAddon } from '@xterm/addon-serialize';
import type { IBuffer, Terminal } from '@xterm/headless';

/** How the serializer changes to the screen of a program that has one of its own. */
const OTHER_SCREEN = '\x1b[?1049h\x1b[H';

/** The serializer means these as no move, and a terminal moves by one: a count of 0 is the default, which is 1. */
const NO_MOVE = /\x1b\[0[CD]/g;

/**
 * The serializer moves the cursor from the end of the text to its place by so many columns. After a full row this ends
 * one column too far left (https://github.com/xtermjs/xterm.js/issues/6165), so commands follow that name the place.
 * Text that continues after an emptied row would leave a sign of the serializer in that row.
 */
export function snapshotText(terminal: Terminal, serializer: SerializeAddon, scrollback: number): string {
  const { active, normal } = terminal.buffer;
  const text = serializer.serialize({ scrollback }).replace(NO_MOVE, '');
  if (active.type === 'normal') return text + cursorPlace(terminal, serializer, active);
  const at = text.indexOf(OTHER_SCREEN);
  return (
    text.slice(0, at) +
    cursorPlace(terminal, serializer, normal) +
    text.slice(at) +
    cursorPlace(terminal, serializer, active)
  );
}

function cursorPlace(terminal: Terminal, serializer: SerializeAddon, buffer: IBuffer): string {
  const { cursorX, cursorY, baseY } = buffer;
  if (cursorX < terminal.cols) return `\x1b[${cursorY + 1};${cursorX + 1}H`;
  // The cursor is past the last column. No command puts it there; only a character in that column does. So the row is
  // drawn again if it has such a character. This works on the normal screen only, because the serializer draws single
  // rows of no other screen.
  const row = baseY + cursorY;
  const lastCell = buffer.getLine(row)?.getCell(terminal.cols - 1);
  const isFull = lastCell !== undefined && (lastCell.getChars() !== '' || lastCell.getWidth() === 0);
  if (buffer.type === 'alternate' || !isFull) return '';
  const range = { start: row, end: row };
  return `\x1b[${cursorY + 1}H\x1b[0m${serializer.serialize({ range, excludeModes: true, excludeAltBuffer: true })}`;
}
