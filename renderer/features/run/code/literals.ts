/** JSON as an expression of Python or JavaScript, in the layout and with the quotes of that language. */
import { memberAt, readText } from '../editor/requestText.ts';
import type { LiftedBody } from './bodyFiles.ts';

/** The parts of a JSON text that a language may write in another way. A string that names a member ends with its colon. */
const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|true|false|null|[[\]{}]|-?\d[\d.eE+-]*|\r?\n[ \t]*/g;
/** Python reads brackets within brackets 200 deep. */
const MOST_DEPTH = 100;

interface Language {
  /** Spaces for each step. */
  indent: number;
  string: (text: string, isName: boolean) => string;
  word: (word: string) => string;
}

const pythonWords: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };

const python: Language = {
  indent: 4,
  // Python has no `\/`, and takes the two halves of a pair of `\u` for two signs.
  string: (text) => JSON.stringify(text),
  word: (word) => pythonWords[word] ?? word,
};

const javascript: Language = {
  indent: 2,
  string: (text, isName) => (isName && /^[A-Za-z_$][\w$]*$/.test(text) ? text : singleQuoted(text)),
  word: (word) => word,
};

export const singleQuoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

interface Written {
  code: string;
  deepest: number;
  /** Whether JavaScript would read something else than was written: a large number, or a name that means the prototype. */
  isUnsafe: boolean;
}

/** Null for a text that is no JSON yet, or has no such member. */
function write(json: string, { indent, string, word }: Language, member: string | undefined): Written | null {
  const read = readText(json);
  const value = !read.ok ? undefined : member === undefined ? read.root : memberAt(read.root, [member])?.value;
  if (value === undefined) return null;
  const text = json.slice(value.from, value.to);
  let depth = 0;
  let deepest = 0;
  let isUnsafe = false;
  const code = text.replaceAll(TOKENS, (token, quoted: string | undefined, colon: string | undefined, at: number) => {
    if (quoted !== undefined) {
      const content = String(JSON.parse(quoted));
      isUnsafe ||= colon !== undefined && content === '__proto__';
      return string(content, colon !== undefined) + (colon ?? '');
    }
    if (token === '{' || token === '[') deepest = Math.max(deepest, (depth += 1));
    else if (token === '}' || token === ']') depth -= 1;
    else if (token.endsWith('\n') || token.trim() === '') {
      const next = text[at + token.length] ?? '';
      if (/\s/.test(next)) return '\n';
      const closes = /[\]}]/.test(next);
      // The last line of a list or an object ends with a comma, as the formatters of both languages write it.
      const comma = closes && !/[[{\s]/.test(text[at - 1] ?? '') ? ',' : '';
      return `${comma}\n${' '.repeat(indent * (closes ? depth - 1 : depth))}`;
    } else if (/\d/.test(token)) isUnsafe ||= /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));
    return word(token);
  });
  return { code, deepest, isUnsafe };
}

/** A string literal of Python that holds any text. */
function tripleQuoted(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
  return `"""${escaped}"""`;
}

/** A template literal of JavaScript that holds any text. */
const templateQuoted = (text: string): string =>
  `\`${text.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``;

const pythonRead = (name: string): string => `base64.b64encode(open(${JSON.stringify(name)}, "rb").read()).decode()`;
const javascriptRead = (name: string): string => `readFileSync(${singleQuoted(name)}, 'base64')`;

/** Puts what reads each file in place of the string with its mark. */
const readingFiles = (
  code: string,
  files: LiftedBody['files'],
  quote: (text: string) => string,
  read: (name: string) => string,
): string =>
  files.reduce((text, { mark, name, prefix }) => {
    const before = prefix === '' ? '' : `${quote(prefix)} + `;
    return text.replace(quote(prefix + mark), () => before + read(name));
  }, code);

interface PythonCode {
  code: string;
  /** The modules of Python that it needs. */
  modules: ('base64' | 'json')[];
}

/**
 * A JSON text, or the value of one of its members, as Python writes it: `True` for true, numbers and lines as they are. A
 * text that Python cannot write so, such as one that is no JSON yet, is left to its JSON parser.
 */
export function pythonLiteral({ text, files }: LiftedBody, member?: string): PythonCode {
  const written = write(text, python, member);
  if (written !== null && written.deepest <= MOST_DEPTH) {
    const code = readingFiles(written.code, files, JSON.stringify, pythonRead);
    return { code, modules: code === written.code ? [] : ['base64'] };
  }
  const rest = member === undefined ? '' : `[${JSON.stringify(member)}]`;
  const replacing = files.map(({ mark, name }) => `.replace(${JSON.stringify(mark)}, ${pythonRead(name)})`);
  return {
    code: `json.loads(${tripleQuoted(text)}${replacing.join('')})${rest}`,
    modules: files.length > 0 ? ['base64', 'json'] : ['json'],
  };
}

/** The same as JavaScript writes it: names without quotes, numbers and lines as they are. */
export function javascriptLiteral({ text, files }: LiftedBody, member?: string): string {
  const written = write(text, javascript, member);
  if (written !== null && !written.isUnsafe) return readingFiles(written.code, files, singleQuoted, javascriptRead);
  const template = files.reduce(
    (before, { mark, name }) => before.replace(mark, () => `\${${javascriptRead(name)}}`),
    templateQuoted(text),
  );
  return `JSON.parse(${template})${member === undefined ? '' : `.${member}`}`;
}

/** The line that the code of a body needs before it, where it reads files. */
export const javascriptImport = (code: string): string =>
  code.includes('readFileSync(') ? "import { readFileSync } from 'node:fs';\n" : '';
