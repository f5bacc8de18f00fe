/** Splits code of the page's own snippets into tokens, by the parsers of CodeMirror and without an editor. */
import { javascript } from '@codemirror/legacy-modes/mode/javascript';
import { python } from '@codemirror/legacy-modes/mode/python';
import { shell } from '@codemirror/legacy-modes/mode/shell';
import { StringStream, type StreamParser } from '@codemirror/streamparser';

export type CodeLanguage = 'curl' | 'Python' | 'JavaScript';

/** `kind`: the name of the token as the parser gives it, such as "string"; null for what has none. */
export interface CodeToken {
  readonly text: string;
  readonly kind: string | null;
}

const INDENT = 2;
/** A parser may change its state without reading on, which a broken one would do for ever. */
const MOST_EMPTY_READS = 10;

function readTokens<State>(parser: StreamParser<State>, code: string): CodeToken[] {
  const tokens: CodeToken[] = [];
  const state = parser.startState?.(INDENT);
  // oxlint-disable-next-line typescript/consistent-type-assertions -- a parser without a first state uses none
  const used = state ?? ({} as State);
  const readOne = (stream: StringStream): string | null => {
    for (let reads = 0; reads < MOST_EMPTY_READS; reads += 1) {
      const kind = parser.token(stream, used);
      if (stream.pos > stream.start) return kind;
    }
    stream.skipToEnd();
    return null;
  };
  code.split('\n').forEach((line, index) => {
    if (index > 0) tokens.push({ text: '\n', kind: null });
    if (line === '') parser.blankLine?.(used, INDENT);
    const stream = new StringStream(line, INDENT, INDENT);
    while (!stream.eol()) {
      stream.start = stream.pos;
      const kind = readOne(stream);
      tokens.push({ text: stream.current(), kind });
    }
  });
  return tokens;
}

const readers: Record<CodeLanguage, (code: string) => CodeToken[]> = {
  curl: (code) => readTokens(shell, code),
  Python: (code) => readTokens(python, code),
  JavaScript: (code) => readTokens(javascript, code),
};

/** The tokens together are the code. */
export const codeTokens = (language: CodeLanguage, code: string): CodeToken[] => readers[language](code);
