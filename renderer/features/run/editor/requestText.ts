/** Reads a JSON text with positions: where it breaks, or where its members stand. No value is changed or rounded. */
import { t } from '../../../language/text.ts';

export interface Node {
  kind: 'object' | 'array' | 'string' | 'number' | 'word';
  from: number;
  to: number;
  /** Members of an object near the root; null elsewhere, so that large inputs cost little. */
  members: Member[] | null;
}

export interface Member {
  name: string;
  /** From the opening quote of the name. */
  from: number;
  value: Node;
}

export type ReadText = { ok: true; root: Node } | { ok: false; at: number; message: string };

/** Policy and storage fields of a request stand at depth 2; nothing below is looked at. */
const REQUEST_DEPTH = 2;
const MAX_DEPTH = 500;

class SyntaxProblem extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

/** `memberDepth`: members down to this depth have their positions. */
export function readText(text: string, memberDepth = REQUEST_DEPTH): ReadText {
  try {
    const reader = new Reader(text, memberDepth);
    const root = reader.value(0);
    reader.space();
    if (reader.at < text.length) throw new SyntaxProblem(reader.at, t`Remove everything after the end of the JSON.`);
    return { ok: true, root };
  } catch (problem) {
    if (!(problem instanceof SyntaxProblem)) throw problem;
    return { ok: false, at: Math.min(problem.at, text.length), message: problem.message };
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const BARE = /[A-Za-z_$][\w$]*/y;
// In steps, not as one expression: a body may hold a string of many megabytes.
const STRING_PART = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

class Reader {
  at = 0;
  private readonly text: string;
  private readonly memberDepth: number;

  constructor(text: string, memberDepth: number) {
    this.text = text;
    this.memberDepth = memberDepth;
  }

  space(): void {
    while (' \t\n\r'.includes(this.text[this.at] ?? 'x')) this.at += 1;
  }

  value(depth: number): Node {
    this.space();
    const from = this.at;
    const char = this.text[from];
    if (depth > MAX_DEPTH) throw new SyntaxProblem(from, t`This is nested too deeply.`);
    if (char === '{') return this.object(depth);
    if (char === '[') return this.array(depth);
    if (char === '"') return this.leaf('string', from, this.string());
    const number = this.match(NUMBER);
    if (number !== null) return this.leaf('number', from, this.at);
    if (this.match(WORD) !== null) return this.leaf('word', from, this.at);
    throw new SyntaxProblem(from, this.unexpected());
  }

  private leaf(kind: Node['kind'], from: number, to: number): Node {
    return { kind, from, to, members: null };
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text)?.[0] ?? null;
    if (match !== null) this.at += match.length;
    return match;
  }

  private unexpected(): string {
    const char = this.text[this.at];
    if (char === undefined) return t`The text ends too early: a value is missing.`;
    if (char === "'") return t`Put strings in double quotes.`;
    if (char === ',' || char === '}' || char === ']') return t`A value is missing before "${char}".`;
    const bare = this.match(BARE);
    if (bare !== null) return t`"${bare}" is not a JSON value. Put strings in double quotes.`;
    return t`"${char}" cannot start a value.`;
  }

  private string(): number {
    const from = this.at;
    this.at += 1;
    for (;;) {
      this.match(STRING_PART);
      const char = this.text[this.at];
      if (char === '"') {
        this.at += 1;
        return this.at;
      }
      if (char !== '\\') throw new SyntaxProblem(from, t`This string is not closed on its line.`);
      if (this.match(ESCAPE) === null) {
        throw new SyntaxProblem(this.at, t`This escape is unknown. To write a backslash, use "\\\\".`);
      }
    }
  }

  private object(depth: number): Node {
    const from = this.at;
    const members: Member[] | null = depth < this.memberDepth ? [] : null;
    this.items('}', () => {
      const nameFrom = this.at;
      if (this.text[nameFrom] !== '"') throw new SyntaxProblem(nameFrom, t`A name in double quotes is expected here.`);
      const nameTo = this.string();
      this.space();
      if (this.text[this.at] !== ':') throw new SyntaxProblem(this.at, t`A colon is expected after the name.`);
      this.at += 1;
      const value = this.value(depth + 1);
      if (members) members.push({ name: String(JSON.parse(this.text.slice(nameFrom, nameTo))), from: nameFrom, value });
    });
    return { kind: 'object', from, to: this.at, members };
  }

  private array(depth: number): Node {
    const from = this.at;
    this.items(']', () => void this.value(depth + 1));
    return this.leaf('array', from, this.at);
  }

  private items(closing: string, item: () => void): void {
    const from = this.at;
    this.at += 1;
    this.space();
    if (this.text[this.at] === closing) {
      this.at += 1;
      return;
    }
    for (;;) {
      item();
      this.space();
      const char = this.text[this.at];
      if (char === undefined) throw new SyntaxProblem(from, t`This is not closed: "${closing}" is missing.`);
      if (char !== ',' && char !== closing)
        throw new SyntaxProblem(this.at, t`A comma or "${closing}" is expected here.`);
      this.at += 1;
      if (char === closing) return;
      const comma = this.at - 1;
      this.space();
      if (this.text[this.at] === closing)
        throw new SyntaxProblem(comma, t`There is an extra comma before "${closing}".`);
    }
  }
}

/** The member at a path of names, or null. The last of equal names counts, as it does for a JSON parser. */
export function memberAt(root: Node, path: readonly string[]): Member | null {
  let members = root.members;
  let member: Member | null = null;
  for (const name of path) {
    member = members?.findLast((one) => one.name === name) ?? null;
    if (!member) return null;
    members = member.value.members;
  }
  return member;
}
