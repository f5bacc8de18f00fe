/** Splits code into tokens, by the parsers of CodeMirror and without an editor. Each parser is loaded on first use. */
import { StringStream, type StreamParser } from '@codemirror/streamparser';
import { loadModule } from '../primitives/lazyPart.ts';
import type { CodeLanguage } from './codeLanguages.ts';

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

/** The tokens together are the code. */
export type CodeReader = (code: string) => CodeToken[];

const javascript = () => import('@codemirror/legacy-modes/mode/javascript');
const clike = () => import('@codemirror/legacy-modes/mode/clike');

const parsers: Record<CodeLanguage, () => Promise<StreamParser<unknown>>> = {
  curl: async () => (await import('@codemirror/legacy-modes/mode/shell')).shell,
  Python: async () => (await import('@codemirror/legacy-modes/mode/python')).python,
  JavaScript: async () => (await javascript()).javascript,
  TypeScript: async () => (await javascript()).typescript,
  JSON: async () => (await javascript()).json,
  YAML: async () => (await import('@codemirror/legacy-modes/mode/yaml')).yaml,
  TOML: async () => (await import('@codemirror/legacy-modes/mode/toml')).toml,
  Dockerfile: async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile,
  SQL: async () => (await import('@codemirror/legacy-modes/mode/sql')).standardSQL,
  Go: async () => (await import('@codemirror/legacy-modes/mode/go')).go,
  Rust: async () => (await import('@codemirror/legacy-modes/mode/rust')).rust,
  C: async () => (await clike()).c,
  'C++': async () => (await clike()).cpp,
  Java: async () => (await clike()).java,
  HTML: async () => (await import('@codemirror/legacy-modes/mode/xml')).html,
  CSS: async () => (await import('@codemirror/legacy-modes/mode/css')).css,
  diff: async () => (await import('@codemirror/legacy-modes/mode/diff')).diff,
};

/** Loads the parser of a language, or has it already. */
export const loadParser = (language: CodeLanguage): Promise<StreamParser<unknown>> => loadModule(parsers[language]);

export async function loadCodeReader(language: CodeLanguage): Promise<CodeReader> {
  const parser = await loadParser(language);
  return (code) => readTokens(parser, code);
}
