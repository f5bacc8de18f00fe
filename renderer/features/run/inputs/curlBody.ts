/** The body inside a curl command, as people copy it from documentation and from browsers. */
import { shellWords } from '../../../ui/text/shellWords.ts';

const DATA_FLAGS = new Set(['-d', '--data', '--data-raw', '--data-binary', '--data-ascii', '--json']);
const DATA_LONG = /^--(?:data(?:-raw|-binary|-ascii)?|json)=/;

/** The body that the command sends; null if the text is no curl command, or sends none. */
export function curlBody(text: string): string | null {
  // Also where its answer is kept in a variable, as in the code that Run hands out.
  if (!/^\s*(?:\$\s+)?(?:\w+=\$\()?curl\s/.test(text)) return null;
  const { words } = shellWords(text);
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
