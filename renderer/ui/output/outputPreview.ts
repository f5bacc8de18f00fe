/** An output in a few words, for a row of a table. */
import { lineJson } from '../job/jsonText.ts';
import { closeCutJson } from './cutJson.ts';
import { isContainer, isJson, kindOf, membersOf, stringOf } from './jsonNode.ts';
import { readMedia } from './media.ts';

/** A JSON string, also one whose end is cut off. */
const STRINGS = /"(?:[^"\\]|\\.)*"?/g;

/** Raw JSON in which the text of each picture, sound, film and file is its type, such as "PNG". */
const nameMedia = (raw: string): string =>
  raw.replaceAll(STRINGS, (text) => {
    const isWhole = text.length > 1 && text.endsWith('"');
    const media = readMedia(text.slice(1, isWhole ? -1 : undefined).replaceAll('\\/', '/'));
    if (media === null || media.source.kind === 'remote') return text;
    return JSON.stringify(isWhole ? media.type.name : `${media.type.name}…`);
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
