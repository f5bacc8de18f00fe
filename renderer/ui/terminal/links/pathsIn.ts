/** Finds what may be paths of files in the output of a terminal. Whether a file is there is not known here. */

/** A text that may be a path, with its place in the searched text. `end` is behind its last character. */
export interface PathInText {
  start: number;
  end: number;
  /** As it is written, without quotes and without line and column. */
  path: string;
}

/** So many candidates of one line are looked for at most: each may need a request. */
export const MOST_PATHS = 24;
const LONGEST = 1024;

/** The line and the column behind a name, as compilers write them: `:12`, `:12:3:`, `(12,3)`. */
const POSITION = /(?::\d+){1,2}:?$|\(\d+(?:,\s?\d+)?\):?$/;
const QUOTED = /(?<=^|[\s([{=:,])(["'`])([^"'`]+)\1/g;
const TOKEN = /[^\s"'`‘’“”<>|;&*?]+/g;
/** Signs that end or begin a path in some texts and are part of a name in others. */
const PIECE = /[^=:,()[\]{}@]+/g;
const EXTENSION = /[^/]\.[A-Za-z0-9]{1,10}$/;

/** `isMarked`: quotes or a line number tell that a name alone is a file. */
function looksLikePath(text: string, isMarked: boolean): boolean {
  // Two slashes at the start are a computer of the network on some systems: nothing may be asked for there.
  if (text.length < 2 || text.length > LONGEST || /^[/\\]{2}/.test(text)) return false;
  if (/^[./~]*$/.test(text)) return false;
  return text.includes('/') || (isMarked && EXTENSION.test(text));
}

const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Without the signs of a sentence behind a path, and without brackets that begin before it. */
function withoutEndSigns(word: string): string {
  let end = word.length;
  for (; end > 0; end -= 1) {
    const sign = word.charAt(end - 1);
    const opening = OPENING[sign];
    const isOpen = opening !== undefined && word.lastIndexOf(opening, end - 2) !== -1;
    if (isOpen || (opening === undefined && !'.,:;!'.includes(sign))) break;
  }
  return word.slice(0, end);
}

/** The candidates of one word, the most complete one first. */
function inWord(word: string, at: number): PathInText[] {
  const scheme = word.indexOf('file:///');
  if (scheme === -1 && word.includes('://')) return [];
  const from = scheme === -1 ? 0 : scheme + 'file://'.length;
  const begin = from + (/^[([{]*/.exec(word.slice(from))?.[0].length ?? 0);
  const full = withoutEndSigns(word.slice(begin));
  const candidates: PathInText[] = [];
  const add = (start: number, text: string): void => {
    const path = text.replace(POSITION, '');
    if (looksLikePath(path, path !== text)) candidates.push({ start, end: start + text.length, path });
  };
  add(at + begin, full);
  for (const { 0: piece, index } of full.matchAll(PIECE)) {
    if (piece.length !== full.length) add(at + begin + index, piece);
  }
  return candidates;
}

/**
 * The texts that may be paths, at most `MOST_PATHS`. They may overlap: of those, the first one that is a file is the
 * right one. Addresses of other kinds than `file:///` have none.
 */
export function pathsIn(text: string): PathInText[] {
  const candidates: PathInText[] = [];
  for (const { 0: whole, 2: path = '', index } of text.matchAll(QUOTED)) {
    if (looksLikePath(path, true)) candidates.push({ start: index + 1, end: index + whole.length - 1, path });
  }
  for (const { 0: word, index } of text.matchAll(TOKEN)) candidates.push(...inWord(word, index));
  return candidates.slice(0, MOST_PATHS);
}

/**
 * The absolute path of a written one. `~` stays for the computer that knows its home folder. Null if a relative path has
 * no known folder, or leads above the root.
 */
export function absolutePath(written: string, folder: string | null): string | null {
  const isHome = written.startsWith('~/');
  if (!isHome && !written.startsWith('/') && folder === null) return null;
  const whole = isHome || written.startsWith('/') ? written : `${folder}/${written}`;
  const names: string[] = [];
  for (const name of (isHome ? whole.slice(2) : whole).split('/')) {
    if (name === '..' && names.pop() === undefined) return null;
    if (name !== '' && name !== '.' && name !== '..') names.push(name);
  }
  return `${isHome ? '~' : ''}/${names.join('/')}`;
}
