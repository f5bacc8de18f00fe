/** What an output is: the parts that a person sees of it, in their order. */
import { readChat, type Chat } from './chatText.ts';
import { isContainer, isJson, kindOf, membersOf, pathOf, stringOf, type JsonMember } from './jsonNode.ts';
import { looksLikeMarkdown } from './markdownSigns.ts';
import { isFileName, readMedia, type Media } from './media.ts';
import type { MediaKind } from './mediaType.ts';
import { isTable, MOST_COLUMNS, noRows, withRow, type TableShape } from './tableShape.ts';

interface PartContents {
  text: { text: string };
  markdown: { text: string };
  chat: { chat: Chat };
  images: { media: readonly Media[] };
  players: { media: readonly Media[] };
  files: { media: readonly Media[] };
  /**
   * `text`: the raw JSON of a list of objects, null for a file of CSV; `items`: that of each. `name`: the names of the
   * fields that lead to it, as in "result.rows"; null for the output itself. `isCut`: the file has more rows. `isStream`:
   * each row is a chunk of a stream; `text` is null while more of them may come.
   */
  table: {
    text: string | null;
    items: readonly string[];
    columns: readonly string[];
    name: string | null;
    isCut?: boolean;
    isStream?: boolean;
  };
  /**
   * `text`: raw JSON. `hasMedia`: its media are shown in parts of their own, and folded here. `tables`: the paths that are
   * shown as tables, and folded here.
   */
  tree: { text: string; hasMedia: boolean; tables?: readonly string[] };
}

export type PartKind = keyof PartContents;

/** One part of an output. */
export type OutputPart<Kind extends PartKind = PartKind> = {
  [One in Kind]: { readonly kind: One } & PartContents[One];
}[Kind];

const DEEPEST = 6;
/** Enough for every list of pictures; more values than this are looked at only in the tree. */
const MOST_VALUES = 4000;
/** Strings in JSON that hold JSON are opened up to this length. */
const INNER_JSON_CHARS = 2_000_000;
const PROSE_CHARS = 60;
const PROSE_NAMES = new Set(
  'text output response transcription transcript generated_text result message content summary answer caption'.split(
    ' ',
  ),
);
/** More lists of objects than this are for the tree. */
const MOST_TABLES = 6;
/** A list is looked for in so many objects within each other. */
const TABLE_DEPTH = 3;
/** So many of the first rows say what the columns are. */
const COLUMN_ROWS = 200;

interface Survey {
  media: Media[];
  others: number;
  /** How many more values are examined. */
  left: number;
}

const FILE_NAMES: readonly (string | number)[] = ['filename', 'file_name', 'fileName', 'name'];

/** The name of a file that stands beside its data. */
function fileNameAmong(members: readonly JsonMember[]): string | null {
  for (const { name, text } of members) {
    const value = FILE_NAMES.includes(name) ? stringOf(text) : null;
    if (value !== null && isFileName(value)) return value;
  }
  return null;
}

function survey(members: readonly JsonMember[], depth: number, seen: Survey): void {
  const direct: Media[] = [];
  for (const { name, text } of members) {
    seen.left -= 1;
    if (seen.left < 0) return;
    if (isContainer(text)) {
      if (depth < DEEPEST) survey(nameItems(membersOf(text), name), depth + 1, seen);
      else seen.others += 1;
      continue;
    }
    const value = stringOf(text);
    const media = value === null ? null : readMedia(value, name);
    if (media) {
      direct.push(media);
      seen.media.push(media);
    } else seen.others += 1;
  }
  // Beside several, it is not known which one is called so.
  const [only, second] = direct;
  const fileName = only === undefined || second !== undefined ? null : fileNameAmong(members);
  if (only !== undefined && fileName !== null) only.fileName = fileName;
}

/** The items of a list are called as the list: the addresses below `images` are pictures. */
const nameItems = (members: JsonMember[], name: string | number): JsonMember[] =>
  members.map((member) => (typeof member.name === 'number' ? { ...member, name } : member));

interface MediaCount {
  media: readonly Media[];
  /** Values that are no media. At least 1 if not all values were examined. */
  others: number;
}

function mediaAmong(members: readonly JsonMember[]): MediaCount {
  const seen: Survey = { media: [], others: 0, left: MOST_VALUES };
  survey(members, 0, seen);
  return { media: seen.media, others: seen.others + (seen.left < 0 ? 1 : 0) };
}

/** All media below the list or object `text`, which is called `name`, and how many other values stand beside them. */
export const mediaIn = (text: string, name: string | number = ''): MediaCount =>
  mediaAmong(nameItems(membersOf(text), name));

const partOf: Readonly<Record<MediaKind, 'images' | 'players' | 'files'>> = {
  image: 'images',
  video: 'players',
  audio: 'players',
  file: 'files',
};

function mediaParts(media: readonly Media[]): OutputPart[] {
  return (['images', 'players', 'files'] as const).flatMap((kind) => {
    const those = media.filter(({ type }) => partOf[type.kind] === kind);
    return those.length === 0 ? [] : [{ kind, media: those }];
  });
}

/** Text as a part: formatted where it is written in markdown. */
const textPart = (text: string): OutputPart => ({ kind: looksLikeMarkdown(text) ? 'markdown' : 'text', text });

/** The columns of a list of objects; null if it has another value, or if a table would not show it well. */
function columnsOf(items: readonly string[]): readonly string[] | null {
  if (!items.every((item) => kindOf(item) === 'object')) return null;
  let shape: TableShape | null = noRows;
  for (const item of items.slice(0, COLUMN_ROWS)) {
    shape = withRow(shape, item);
    if (shape === null) return null;
  }
  return isTable(shape) ? shape.columns : null;
}

interface FoundTable {
  part: OutputPart<'table'>;
  /** Its place in the output. */
  path: string;
}

/**
 * The lists of objects that an object holds, itself or in objects within it, as tables. A list with media is left to the
 * parts that show these.
 */
function tablesOf(members: readonly JsonMember[], names: readonly string[] = [], above = ''): FoundTable[] {
  if (members.length > MOST_COLUMNS) return [];
  return members.flatMap(({ name, text }): FoundTable[] => {
    const path = pathOf(above, name);
    const all = [...names, String(name)];
    if (kindOf(text) === 'object') return all.length < TABLE_DEPTH ? tablesOf(membersOf(text), all, path) : [];
    if (kindOf(text) !== 'array') return [];
    const items = membersOf(text).map((member) => member.text);
    const columns = items.length < 2 ? null : columnsOf(items);
    if (columns === null || mediaIn(text, name).media.length > 0) return [];
    return [{ part: { kind: 'table', text, items, columns, name: all.join('.') }, path }];
  });
}

/**
 * The first long text of an object under a name that stands for its answer. An object of very many names is a table.
 */
function proseOf(members: readonly JsonMember[]): string | null {
  if (members.length > MOST_COLUMNS) return null;
  for (const { name, text } of members) {
    const value = PROSE_NAMES.has(String(name)) ? stringOf(text) : null;
    if (value !== null && value.length >= PROSE_CHARS && value.includes(' ')) return value;
  }
  return null;
}

function readString(value: string): OutputPart[] {
  const media = readMedia(value);
  if (media) return mediaParts([media]);
  const isInner = /^\s*[[{]/.test(value) && value.length <= INNER_JSON_CHARS && isJson(value);
  return isInner ? [...readOutput(value)] : [textPart(value)];
}

/**
 * The parts of an output. `raw`: its raw JSON, as the service answered. A text that is no JSON, for example because it
 * was cut off, is one part of plain text.
 */
export function readOutput(raw: string): readonly OutputPart[] {
  const text = raw.trim();
  try {
    const value = stringOf(text);
    if (value !== null) return readString(value);
    if (!isContainer(text)) return [{ kind: 'text', text }];
    const chat = readChat(text);
    if (chat) return [{ kind: 'chat', chat }];
    const members = membersOf(text);
    const { media, others } = mediaAmong(members);
    const parts = mediaParts(media);
    if (media.length > 0 && others === 0) return parts;
    if (kindOf(text) === 'array' && media.length === 0 && members.length > 0) {
      const items = members.map((member) => member.text);
      const columns = columnsOf(items);
      if (columns) return [{ kind: 'table', text, items, columns, name: null }];
    }
    const isObject = kindOf(text) === 'object';
    const prose = isObject ? proseOf(members) : null;
    if (prose !== null) parts.push(textPart(prose));
    const all = isObject ? tablesOf(members) : [];
    const tables = all.length > MOST_TABLES ? [] : all;
    parts.push(...tables.map(({ part }) => part));
    const isAll =
      tables.length > 0 && members.every(({ name }) => tables.some(({ path }) => path === pathOf('', name)));
    if (isAll) return parts;
    const folded = tables.length === 0 ? {} : { tables: tables.map(({ path }) => path) };
    return [...parts, { kind: 'tree', text, hasMedia: media.length > 0, ...folded }];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [{ kind: 'text', text: raw }];
  }
}
