/** The arguments of a container, which one dialect tells as a list and the other as a line. */

const plain = /^[\w@%+=:,./-]+$/;

/** A line that is taken apart into these words again. */
export const joinWords = (words: readonly string[]): string =>
  words.map((word) => (plain.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)).join(' ');

/** The words of a line, as a shell would take it apart that replaces nothing in it. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (quote === null && /\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (quote === null && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (character === quote) {
      quote = null;
    } else if (character === '\\' && quote !== "'" && at + 1 < line.length) {
      word = (word ?? '') + line[++at]!;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (word !== null) words.push(word);
  return words;
}
