/** Command lines that a person writes as one line, such as `dockerArgs`, taken apart into words. */
import { AppError } from '#contract/core/errors.ts';

/** Within double quotes a backslash means itself before anything else. */
const ESCAPED_IN_DOUBLE = '$`"\\\n';

/**
 * The words that a shell would pass on: quotes and backslashes are heeded, nothing is expanded, and no operator or
 * comment means anything. BAD_REQUEST where a quote is not closed.
 */
export function splitCommandLine(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let at = 0; at < line.length; at++) {
    const letter = line.charAt(at);
    const next = line[at + 1];
    if (quote === null && /[ \t\n\r]/.test(letter)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (
      letter === '\\' &&
      quote !== "'" &&
      next !== undefined &&
      (quote === null || ESCAPED_IN_DOUBLE.includes(next))
    ) {
      // A line that goes on below: both characters are nothing.
      if (next !== '\n') word = (word ?? '') + next;
      at++;
    } else if (quote === null && (letter === '"' || letter === "'")) {
      quote = letter;
      word ??= '';
    } else if (letter === quote) {
      quote = null;
    } else {
      word = (word ?? '') + letter;
    }
  }
  if (quote !== null) {
    throw new AppError('BAD_REQUEST', `The command line has a ${quote} that is not closed: ${line.slice(0, 200)}`);
  }
  if (word !== null) words.push(word);
  return words;
}
