/** Converts a command between one line of text and the list of words that is sent. */

const needsQuotes = /[\s"'\\]|^$/;

export const joinCommand = (words: readonly string[]): string =>
  words.map((word) => (needsQuotes.test(word) ? `"${word.replace(/["\\]/g, '\\$&')}"` : word)).join(' ');

/** Spaces separate words, quotes join a word, and a backslash escapes the next character. There is no shell. */
export function splitCommand(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\' && quote !== "'" && at + 1 < text.length) {
      at += 1;
      word = (word ?? '') + text.charAt(at);
    } else if (quote !== null) {
      if (character === quote) quote = null;
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + character;
  }
  return word === null ? words : [...words, word];
}
