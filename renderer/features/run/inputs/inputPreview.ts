/** A few words that say which input a body has. */
import { isTellingText } from '#contract/app/jobs/tellingText.ts';
import { formatBytes } from '../../../ui/text/format.ts';
import { lineJson } from '../../../ui/job/jsonText.ts';
import { stringOf } from '../../../ui/output/jsonNode.ts';
import { readMedia } from '../../../ui/output/media.ts';
import { readInput } from '../form/inputFields.ts';

const SHOWN_CHARS = 120;
const VALUE_CHARS = 60;

/** Telling texts come first, as in the names of jobs; other values have the names of their fields. */
export function previewOfInput(body: string): string {
  const members = [...(readInput(body) ?? [])];
  if (members.length === 0) return lineJson(body).slice(0, SHOWN_CHARS);
  const rank = ([name, { raw }]: readonly [string, { raw: string }]): number => {
    const text = stringOf(raw);
    return text !== null && isTellingText(name, text) ? 0 : 1;
  };
  return members
    .toSorted((one, other) => rank(one) - rank(other))
    .map(([name, { raw }]) => wordsOf(name, raw))
    .join(' · ')
    .slice(0, SHOWN_CHARS);
}

function wordsOf(name: string, raw: string): string {
  const text = stringOf(raw);
  if (text === null) return `${name} ${lineJson(raw).slice(0, VALUE_CHARS)}`;
  const media = readMedia(text, name);
  if (media?.sizeBytes != null) return `${name} ${media.type.name} ${formatBytes(media.sizeBytes)}`;
  return isTellingText(name, text) ? text.slice(0, VALUE_CHARS) : `${name} ${text}`;
}
