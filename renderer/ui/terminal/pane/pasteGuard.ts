/** When a paste into a terminal is asked about first: a shell runs each of its lines as a command. */

/** A program that is told where a paste begins and ends can hold it back; from this many lines it is asked about anyway. */
const MANY_LINES = 100;

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
