/** The body inside a curl command, as people copy it from documentation and from browsers. */

const DATA_FLAGS = new Set(['-d', '--data', '--data-raw', '--data-binary', '--data-ascii', '--json']);
const DATA_LONG = /^--(?:data(?:-raw|-binary|-ascii)?|json)=/;

/** The words of a command line as a POSIX shell splits them: quotes, backslashes and lines that go on. */
function shellWords(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    const isDollarQuote = char === '$' && text[at + 1] === "'";
    if (char === "'" || isDollarQuote) {
      const from = isDollarQuote ? at + 2 : at + 1;
      let end = from;
      while (end < text.length && text[end] !== "'") end += isDollarQuote && text[end] === '\\' ? 2 : 1;
      const inner = text.slice(from, end);
      word = (word ?? '') + (isDollarQuote ? inner.replaceAll(/\\(['"\\])/g, '$1').replaceAll('\\n', '\n') : inner);
      at = end;
    } else if (char === '"') {
      let end = at + 1;
      while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
      word = (word ?? '') + text.slice(at + 1, end).replaceAll(/\\(["\\$`\n])/g, '$1');
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
  return word === null ? words : [...words, word];
}

/** The body that the command sends; null if the text is no curl command, or sends none. */
export function curlBody(text: string): string | null {
  if (!/^\s*(?:\$\s+)?curl\s/.test(text)) return null;
  const words = shellWords(text);
  const pieces = words.flatMap((word, at) => {
    if (DATA_FLAGS.has(word)) return [words[at + 1] ?? ''];
    const long = DATA_LONG.exec(word)?.[0];
    if (long !== undefined) return [word.slice(long.length)];
    return /^-d./.test(word) ? [word.slice(2)] : [];
  });
  const body = pieces.join('&').trim();
  // A file that the command names is not here.
  return body === '' || body.startsWith('@') ? null : body;
}
