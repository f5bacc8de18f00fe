/** An output in a few words, for a row of a table. */
import { lineJson } from '../job/jsonText.ts';
import { closeCutJson } from './cutJson.ts';
import { isContainer, isJson, kindOf, membersOf, stringOf } from './jsonNode.ts';
import { readMedia, type Media } from './media.ts';

/** A JSON string, also one whose end is cut off. */
const STRINGS = /"(?:[^"\\]|\\.)*"?/g;

/** The medium in a JSON string, also in one whose end is cut off; null for another text, and for a medium of another host. */
function ownMedia(text: string): Media | null {
  const media = readMedia(text.slice(1, isWhole(text) ? -1 : undefined).replaceAll('\\/', '/'));
  return media?.source.kind === 'remote' ? null : media;
}

const isWhole = (text: string): boolean => text.length > 1 && text.endsWith('"');

/** Whether an output has a picture in itself. `start` is raw JSON, or the beginning of it. */
export const hasOwnPicture = (start: string): boolean =>
  [...start.matchAll(STRINGS)].some(([text]) => ownMedia(text)?.type.kind === 'image');

/** Raw JSON in which the text of each picture, sound, film and file is its type, such as "PNG". */
const nameMedia = (raw: string): string =>
  raw.replaceAll(STRINGS, (text) => {
    const media = ownMedia(text);
    return media === null ? text : JSON.stringify(isWhole(text) ? media.type.name : `${media.type.name}…`);
  });

/**
 * A text without its quotes, also one in pieces. An object as its fields and a list as its items, with media named by
 * their type. Other values as they are. `start` is raw JSON, or the beginning of it.
 */
export function previewOfOutput(start: string): string {
  const named = nameMedia(start);
  if (kindOf(named) === 'string') return textOf(named);
  // A medium at the end of the part is a value, not a name: a comma says so.
  const whole = isContainer(named) ? closeCutJson(named.endsWith('…"') ? `${named},` : named) : null;
  if (whole === null) return lineJson(named);
  if (kindOf(whole) === 'array') return listWords(membersOf(whole).map(({ text }) => text));
  return membersOf(whole)
    .map(({ name, text: value }) => `${name} ${wordsOf(value)}`)
    .join(' · ');
}

/** The items of a list with commas between them. The pieces of one text, such as the chunks of a stream, without. */
const listWords = (items: readonly string[]): string =>
  items.map(wordsOf).join(items.length > 1 && arePiecesOfText(items.map(stringOf)) ? '' : ', ');

/** A piece of a text brings the space before its next or previous word, which an item of a list does not have. */
const arePiecesOfText = (strings: readonly (string | null)[]): boolean =>
  strings.every((string) => string !== null) && strings.some((string) => string !== string.trim());

/** The text of a JSON string, or what is there of it. */
function textOf(raw: string): string {
  const whole = [raw, `${raw}"`].find(isJson);
  return whole === undefined ? raw.slice(1) : (stringOf(whole) ?? raw);
}

function wordsOf(raw: string): string {
  if (kindOf(raw) === 'array' && membersOf(raw).every(({ text }) => !isContainer(text))) {
    return listWords(membersOf(raw).map(({ text }) => text));
  }
  return stringOf(raw) ?? lineJson(raw);
}
