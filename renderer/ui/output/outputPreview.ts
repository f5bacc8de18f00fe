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
 * A text without its quotes. An object as its fields and a list as its items, with media named by their type. Other
 * values as they are. `start` is raw JSON, or the beginning of it.
 */
export function previewOfOutput(start: string): string {
  const named = nameMedia(start);
  if (kindOf(named) === 'string') return textOf(named);
  // A medium at the end of the part is a value, not a name: a comma says so.
  const whole = isContainer(named) ? closeCutJson(named.endsWith('…"') ? `${named},` : named) : null;
  if (whole === null) return lineJson(named);
  const isObject = kindOf(whole) === 'object';
  return membersOf(whole)
    .map(({ name, text: value }) => (isObject ? `${name} ${wordsOf(value)}` : wordsOf(value)))
    .join(isObject ? ' · ' : ', ');
}

/** The text of a JSON string, or what is there of it. */
function textOf(raw: string): string {
  const whole = [raw, `${raw}"`].find(isJson);
  return whole === undefined ? raw.slice(1) : (stringOf(whole) ?? raw);
}

function wordsOf(raw: string): string {
  if (kindOf(raw) === 'array' && membersOf(raw).every(({ text }) => !isContainer(text))) {
    return membersOf(raw)
      .map(({ text }) => stringOf(text) ?? text)
      .join(', ');
  }
  return stringOf(raw) ?? lineJson(raw);
}
