/** The words of a command line that a person pastes. */

interface ShellWords {
  words: string[];
  /** Whether a quote is not closed: it then reaches to the end of the text. */
  hasOpenQuote: boolean;
}

/**
 * Splits a command line as a POSIX shell does: quotes, $'…', backslashes and lines that go on. Nothing is expanded, and
 * operators such as `|` are words.
 */
export function shellWords(text: string): ShellWords {
  const words: string[] = [];
  let word: string | null = null;
  let hasOpenQuote = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    const isDollarQuote = char === '$' && text[at + 1] === "'";
    if (char === "'" || isDollarQuote) {
      const from = isDollarQuote ? at + 2 : at + 1;
      let end = from;
      while (end < text.length && text[end] !== "'") end += isDollarQuote && text[end] === '\\' ? 2 : 1;
      const inner = text.slice(from, end);
      word = (word ?? '') + (isDollarQuote ? inner.replaceAll(/\\(['"\\])/g, '$1').replaceAll('\\n', '\n') : inner);
      hasOpenQuote ||= end >= text.length;
      at = end;
    } else if (char === '"') {
      let end = at + 1;
      while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
      word = (word ?? '') + text.slice(at + 1, end).replaceAll(/\\(["\\$`\n])/g, '$1');
      hasOpenQuote ||= end >= text.length;
      at = end;
    } else if (char === '\\') {
      at += 1;
      if (text[at] === '\r') at += 1;
      if (text[at] !== '\n') word = (word ?? '') + (text[at] ?? '');
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + char;
  }
  return { words: word === null ? words : [...words, word], hasOpenQuote };
}
