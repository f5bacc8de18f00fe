/** The arguments of a container. One dialect writes them as a list, the other one as a line. */

const plain = /^[\w@%+=:,./-]+$/;

/** Joins words to a line that `splitWords` splits into the same words. */
export const joinWords = (words: readonly string[]): string =>
  words.map((word) => (plain.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)).join(' ');

/** Splits a line into words, as a shell does, without any expansion. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (quote === null && /\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (quote === null && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (character === quote) {
      quote = null;
    } else if (character === '\\' && quote !== "'" && at + 1 < line.length) {
      word = (word ?? '') + line.charAt(++at);
    } else {
      word = (word ?? '') + character;
    }
  }
  if (word !== null) words.push(word);
  return words;
}
