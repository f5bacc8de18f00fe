/** The text of a `.env` file, read into variables. */
import type { EnvRow } from './envRows.ts';

interface EnvText {
  /** In the order of the file. Of a name that is there twice, the last value. */
  rows: EnvRow[];
  /** The numbers of the lines that are no variable, from 1. */
  unreadLines: number[];
}

const NAME = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*/;
/** What may follow a closing quote. */
const LINE_END = /^[ \t]*(?:#[^\n]*)?(?:\n|$)/;
/** Without quotes, a comment begins with "#" after a space: a password may contain "#". */
const COMMENT = /(?:^|[ \t])#.*$/;
const CLOSED: Readonly<Record<string, RegExp>> = {
  '"': /^"((?:\\[\s\S]|[^"\\])*)"/,
  "'": /^'([^']*)'/,
  '`': /^`([^`]*)`/,
};
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' };

const unescaped = (text: string): string =>
  text.replaceAll(/\\([\s\S])/g, (whole, char: string) => ESCAPES[char] ?? whole);

/** The value at the start of `text`, and the rest of the text after its line. */
function readValue(text: string): { value: string; rest: string } {
  const quote = text.charAt(0);
  const closed = CLOSED[quote]?.exec(text);
  const rest = closed ? text.slice(closed[0].length) : '';
  const end = closed ? LINE_END.exec(rest) : null;
  if (closed && end) {
    const inner = closed[1] ?? '';
    return { value: quote === '"' ? unescaped(inner) : inner, rest: rest.slice(end[0].length) };
  }
  const [line = ''] = text.split('\n', 1);
  return { value: line.replace(COMMENT, '').trim(), rest: text.slice(line.length + 1) };
}

/**
 * Reads quotes, comments, `export` and values of several lines in quotes. Escapes such as `\n` count in double quotes
 * only. `$NAME` stands as it is written.
 */
export function readEnvText(text: string): EnvText {
  const values = new Map<string, string>();
  const unreadLines: number[] = [];
  const all = text.replaceAll(/\r\n?/g, '\n').replace(/^\uFEFF/, '');
  let rest = all;
  while (rest !== '') {
    const start = NAME.exec(rest);
    const [line = ''] = rest.split('\n', 1);
    if (start?.[1] !== undefined) {
      const read = readValue(rest.slice(start[0].length));
      values.set(start[1], read.value);
      rest = read.rest;
    } else {
      if (!/^[ \t]*(?:#|$)/.test(line)) unreadLines.push(all.slice(0, all.length - rest.length).split('\n').length);
      rest = rest.slice(line.length + 1);
    }
  }
  return { rows: [...values].map(([name, value]) => ({ name, value })), unreadLines };
}
