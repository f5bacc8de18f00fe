/** When a paste into a terminal is asked about first: a shell runs each of its lines as a command. */

/** A program that is told where a paste begins and ends can hold it back; from this many lines it is asked about anyway. */
const MANY_LINES = 100;

/** A paste that waits for the answer of the person. */
export interface PendingPaste {
  text: string;
  lines: number;
  /** Whether the program in the terminal is told where the paste ends, so that it runs nothing of it before Enter. */
  isHeldBack: boolean;
}

/** So many lines of a paste are shown. */
const SHOWN_LINES = 8;

/**
 * The first lines of a paste as they are shown, with a sign for each character that could not be seen, and how many lines
 * follow them.
 */
export function beginningOf({ text, lines }: Pick<PendingPaste, 'text' | 'lines'>): { text: string; more: number } {
  const shown = text.split(/\r\n|\r|\n/, SHOWN_LINES).map((line) => line.replace(/[^\P{Cc}\t]|\p{Cf}/gu, '\uFFFD'));
  return { text: shown.join('\n').trimEnd(), more: Math.max(0, lines - SHOWN_LINES) };
}

/**
 * The number of lines to ask about, or null for a text that goes to the shell at once. `isBracketed`: the program in the
 * terminal has turned on bracketed paste, so that it does not run what is pasted.
 */
export function linesToConfirm(text: string, isBracketed: boolean): number | null {
  const lines = text.split(/\r\n|\r|\n/);
  // The end of the last line is not a further line, but it runs the line.
  const count = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  if (isBracketed) return count >= MANY_LINES ? count : null;
  return lines.length > 1 ? count : null;
}
