/** JSON as an expression of Python. */
import { memberAt, readText } from '../editor/requestText.ts';

const words: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' };
/** The strings and words of a JSON text, and its brackets, which a string may hold, too. */
const TOKENS = /"(?:[^"\\]|\\.)*"|true|false|null|[[\]{}]/g;
/** Python reads brackets within brackets 200 deep. */
const MOST_DEPTH = 100;

/** A string literal that holds any text. */
function quoted(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
  return `"""${escaped}"""`;
}

/** Lines as they would stand without the object around them. */
function dedented(text: string): string {
  const indent = /\n([ \t]+)\S*$/.exec(text)?.[1];
  return indent === undefined ? text : text.replaceAll(`\n${indent}`, '\n');
}

/**
 * A JSON text, or the value of one of its members, as Python writes it: `True` for true, numbers and layout as they are. A
 * text that Python cannot write so, such as one that is no JSON yet, is left to its JSON parser: `usesJson`.
 */
export function pythonLiteral(json: string, member?: string): { code: string; usesJson: boolean } {
  const read = readText(json);
  const value = !read.ok ? undefined : member === undefined ? read.root : memberAt(read.root, [member])?.value;
  const text = value && dedented(json.slice(value.from, value.to));
  let depth = 0;
  let deepest = 0;
  const code = text?.replaceAll(TOKENS, (token) => {
    if (token === '{' || token === '[') deepest = Math.max(deepest, (depth += 1));
    else if (token === '}' || token === ']') depth -= 1;
    // Python has no `\/`, and takes the two halves of a pair of `\u` for two signs.
    return token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : (words[token] ?? token);
  });
  if (code !== undefined && deepest <= MOST_DEPTH) return { code, usesJson: false };
  const rest = member === undefined ? '' : `[${JSON.stringify(member)}]`;
  return { code: `json.loads(${quoted(json)})${rest}`, usesJson: true };
}
