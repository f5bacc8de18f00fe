/** What the palette finds: the words of labels, descriptions and keywords, also with one wrong letter a word. */
import uFuzzy from '@leeoniya/ufuzzy';
import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';

export interface PaletteMatch {
  action: SpotlightActionData;
  /** Beginnings and ends of the parts of its label that match, in turns. */
  marks: readonly number[];
}

export interface MatchGroup {
  group: string;
  matches: PaletteMatch[];
}

/** Words of any script; a word may have one letter too many, too few or wrong, or two in the wrong order. */
const matcher = new uFuzzy({
  unicode: true,
  interSplit: String.raw`[^\p{L}\d']+`,
  intraSplit: String.raw`\p{Ll}\p{Lu}`,
  intraBound: String.raw`\p{L}\d|\d\p{L}|\p{Ll}\p{Lu}`,
  intraChars: String.raw`[\p{L}\d']`,
  intraContr: String.raw`'\p{L}{1,2}\b`,
  intraMode: 1,
});
/** So many words may stand in another order than in the text. */
const WORDS_IN_ANY_ORDER = 3;

const keywordsOf = ({ keywords = [] }: SpotlightActionData): string =>
  typeof keywords === 'string' ? keywords : keywords.join(' ');

interface Item extends PaletteMatch {
  group: string;
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
/** How many letters of its label match. */
const markedLetters = ({ marks }: Item): number => sumOf(marks.map((at, index) => (index % 2 === 0 ? -at : at)));

/** Whether a word goes on at this place of a text, as "edit" in "credit" does. */
const isWithinWord = (text: string, at: number): boolean => /[\p{L}\d]$/u.test(text.slice(0, at));

/** Whether a word of the text begins as the query does. */
function hasWord(text: string, query: string): boolean {
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + 1)) {
    if (!isWithinWord(text, at)) return true;
  }
  return false;
}

/**
 * Those whose text has the query as it is typed: those that are named so first, then those with it in their labels, then
 * those with the most words of it there.
 */
function exactly(items: readonly Item[], query: string): Item[] {
  const byName: Item[] = [];
  const byLabel: Item[] = [];
  const byOthers: Item[] = [];
  const words = query.split(' ');
  const wordsIn = ({ action: { label = '' } }: Item): number =>
    words.filter((word) => label.toLowerCase().includes(word)).length;
  for (const item of items) {
    const { label = '', description = '' } = item.action;
    const at = label.toLowerCase().indexOf(query);
    const places = label.toLowerCase() === query ? byName : byLabel;
    if (at >= 0) places.push({ ...item, marks: [at, at + query.length] });
    else if (hasWord(`${description} ${keywordsOf(item.action)}`.toLowerCase(), query)) byOthers.push(item);
  }
  return [...byName, ...byLabel, ...byOthers.toSorted((one, other) => wordsIn(other) - wordsIn(one))];
}

/** Those that have each word of the query, with a wrong letter: those with the most of it in their labels first. */
function nearly(items: readonly Item[], query: string): Item[] {
  const texts = items.map(({ action }) =>
    [action.label, action.description, keywordsOf(action)].filter(Boolean).join(' '),
  );
  const [indexes, info, order] = matcher.search(texts, query, WORDS_IN_ANY_ORDER);
  if (indexes === null || info === null || order === null) return [];
  const matches = order.flatMap((place): Item[] => {
    const index = info.idx[place] ?? -1;
    const item = items[index];
    const begin = info.ranges[place]?.[0] ?? 0;
    if (item === undefined || isWithinWord(texts[index] ?? '', begin)) return [];
    const end = (item.action.label ?? '').length;
    // The text begins with the label.
    const marks = (info.ranges[place] ?? []).map((at) => Math.min(at, end));
    return [{ ...item, marks: marks[0] === end ? [] : marks }];
  });
  return matches.toSorted((one, other) => markedLetters(other) - markedLetters(one));
}

/** The actions that match, in their groups; all of them for an empty query. A wrong letter counts only if nothing else matches. */
export function findActions(query: string, groups: readonly SpotlightActionGroupData[]): MatchGroup[] {
  const wanted = query.trim().toLowerCase();
  const items = groups.flatMap(({ group, actions }) => actions.map((action): Item => ({ group, action, marks: [] })));
  const exact = wanted === '' ? items : exactly(items, wanted);
  const matches = exact.length > 0 ? exact : nearly(items, wanted);
  const names = new Set(matches.map(({ group }) => group));
  return [...names].map((name) => ({ group: name, matches: matches.filter(({ group }) => group === name) }));
}
