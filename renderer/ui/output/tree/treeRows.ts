/** The rows of a JSON tree: only what is open is read, and each list or object is read once. */
import { isContainer, kindOf, membersOf, pathOf, stringOf, type JsonKind, type JsonMember } from '../jsonNode.ts';
import { readMedia, type Media } from '../media.ts';
import { mediaIn } from '../readOutput.ts';
import { formatBytes, formatCount } from '../../text/format.ts';
import { counted, t } from '../../../language/text.ts';

export interface TreeRow {
  /** From the root, whose path is empty: `images[0]`. */
  path: string;
  /** Null at the root. */
  name: string | number | null;
  /** Raw JSON. */
  text: string;
  kind: JsonKind;
  depth: number;
  /** Whether there is something to unfold: members, or the rest of a long text. */
  canOpen: boolean;
  isOpen: boolean;
  /** The closing bracket of the open list or object at this path, which is not a value of its own. */
  isEnd: boolean;
  media: Media | null;
  /** The address of the web that the value is; null for every other value. */
  link: string | null;
}

const webAddress = (value: string | null): string | null =>
  value !== null && /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value) ? value : null;

/** Longer strings are cut in their row, and shown whole below it. */
export const ROW_CHARS = 160;
/** So many rows are open at first. */
const FIRST_ROWS = 120;
/** Larger values are described by their size, because counting their members takes time. */
const COUNTED_CHARS = 1_000_000;
const PREVIEW_CHARS = 90;

export interface JsonTree {
  /** The rows that are in sight while these paths are open. */
  rows: (open: ReadonlySet<string>) => TreeRow[];
  /**
   * What is open at first: from the top, level by level, until the rows fill a screen. Media and lists of numbers stay
   * folded, and what lies at the paths `folded`.
   */
  firstOpen: (folded?: readonly string[]) => ReadonlySet<string>;
}

/** A list or object without members; far cheaper than to find the members of each. */
const EMPTY = /^[[{]\s*[\]}]$/;

/** A list of nothing but numbers. */
const NUMBERS = /^\[[\s\d.,eE+-]*\]$/;
/** Longer lists are not looked through. */
const NUMBERS_CHARS = 10_000;

/** The numbers of a list of nothing else, one after the other; null for every other value. */
const numbersIn = (text: string): string[] | null =>
  text.length <= NUMBERS_CHARS && NUMBERS.test(text) && !EMPTY.test(text)
    ? text
        .slice(1, -1)
        .split(',')
        .map((number) => number.trim())
    : null;

/** Whether the value is a list of numbers that stands in its row. */
const isOnOneLine = (text: string): boolean => (numbersIn(text)?.join(', ').length ?? Infinity) <= PREVIEW_CHARS;

const isLongString = (text: string): boolean =>
  kindOf(text) === 'string' && (text.length > ROW_CHARS || text.includes('\\n'));

/** The tree of one JSON text. @throws {SyntaxError} from `rows` if the text is cut off. */
export function createTree(text: string): JsonTree {
  const known = new Map<string, readonly JsonMember[]>();
  const members = (path: string, of: string): readonly JsonMember[] => {
    const list = known.get(path) ?? membersOf(of);
    known.set(path, list);
    return list;
  };

  function addRow(rows: TreeRow[], open: ReadonlySet<string>, row: Pick<TreeRow, 'path' | 'name' | 'text' | 'depth'>) {
    const kind = kindOf(row.text);
    const value = stringOf(row.text);
    const media = value === null ? null : readMedia(value, nameOf(row));
    const holds = isContainer(row.text);
    const canOpen = holds ? !EMPTY.test(row.text) && !isOnOneLine(row.text) : media === null && isLongString(row.text);
    const isOpen = canOpen && open.has(row.path);
    rows.push({ ...row, kind, media, link: webAddress(value), canOpen, isOpen, isEnd: false });
    if (!isOpen || !holds) return;
    for (const { name, text: of } of members(row.path, row.text)) {
      addRow(rows, open, { path: pathOf(row.path, name), name, text: of, depth: row.depth + 1 });
    }
    rows.push({ ...row, name: null, kind, media: null, link: null, canOpen: false, isOpen: false, isEnd: true });
  }

  return {
    rows(open) {
      const rows: TreeRow[] = [];
      addRow(rows, open, { path: '', name: null, text, depth: 0 });
      return rows;
    },
    firstOpen(folded = []) {
      const open = new Set<string>(['']);
      let level = [{ path: '', text }];
      for (let count = 1; level.length > 0;) {
        const next: typeof level = [];
        for (const { path, text: of } of level) {
          if (path !== '' && (folded.includes(path) || numbersIn(of) !== null)) continue;
          const list = members(path, of);
          count += list.length;
          if (path !== '' && (count > FIRST_ROWS || onlyMedia(of, path) !== null)) continue;
          open.add(path);
          if (list.length > FIRST_ROWS) continue;
          for (const member of list) {
            if (isContainer(member.text)) next.push({ path: pathOf(path, member.name), text: member.text });
          }
        }
        if (count > FIRST_ROWS) break;
        level = next;
      }
      return open;
    },
  };
}

/** Items of a list are called as the list. */
const nameOf = ({ name, path }: Pick<TreeRow, 'name' | 'path'>): string | number =>
  typeof name === 'number' ? path.replace(/\[\d+\]$/, '') : (name ?? '');

/** "4 × image/png" for a list of nothing but media; null for everything else. */
function onlyMedia(text: string, path: string): string | null {
  if (kindOf(text) !== 'array') return null;
  const { media, others } = mediaIn(text, path);
  if (media.length === 0 || others > 0) return null;
  const mimes = [...new Set(media.map(({ type }) => type.mime))];
  return `${media.length} × ${mimes.length === 1 ? mimes[0] : t`media`}`;
}

/** What a folded list or object holds, in a few words. */
export function previewOf({ text, path, kind }: Pick<TreeRow, 'text' | 'path' | 'kind'>): string {
  const [before, after] = kind === 'array' ? ['[ ', ' ]'] : ['{ ', ' }'];
  if (text.length > COUNTED_CHARS) return `${before}…${after} ${formatBytes(text.length)}`;
  const list = membersOf(text);
  if (list.length === 0) return before.trim() + after.trim();
  const media = onlyMedia(text, path);
  if (media !== null) return before + media + after;
  const numbers = numbersIn(text);
  if (numbers !== null && isOnOneLine(text)) return `[${numbers.join(', ')}]`;
  if (kind === 'array') return before + counted(list.length, '{0} item', '{0} items', formatCount(list.length)) + after;
  const count = ` ${counted(list.length, '{0} key', '{0} keys', formatCount(list.length))}`;
  let words = '';
  for (const { name, text: of } of list) {
    const short = isContainer(of) ? (kindOf(of) === 'array' ? '[…]' : '{…}') : of.length > 30 ? '…' : of;
    const next = `${words === '' ? '' : ', '}${name}: ${short}`;
    if (words.length + next.length > PREVIEW_CHARS) return `${before}${words}, …${after}${count}`;
    words += next;
  }
  return before + words + after + count;
}

/** A copied value: the string itself, or JSON. */
export const copyTextOf = (text: string): string => stringOf(text) ?? text;
