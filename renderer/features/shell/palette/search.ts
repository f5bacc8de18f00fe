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

export interface SearchOptions {
  /** Ids of actions that match, whatever their texts are: a search elsewhere found them for this query. */
  matchIds?: ReadonlySet<string>;
  /** Ids of actions that are listed for a query only. */
  queryOnly?: ReadonlySet<string>;
  /** False while a search elsewhere goes on: then only what has the words as they are typed is listed. */
  mayGuess?: boolean;
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
/** With a wrong letter, a shorter query has to be a whole word: "seven" is not "several". */
const LONG_ENOUGH = 6;

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

/** Where a word of the text begins as the query does; -1 if none does. */
function wordAt(text: string, query: string): number {
  for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + 1)) {
    if (!isWithinWord(text, at)) return at;
  }
  return -1;
}

/** How well an action matches, the best first. */
const ranks = ['name', 'label', 'labelWords', 'otherTexts', 'withinWord'] as const;

interface Ranked {
  rank: (typeof ranks)[number];
  item: Item;
  /** How many words of the query are in the label. */
  inLabel: number;
}

/** Beginnings and ends of these words in the label, in turns. Words that overlap count once. */
function marksOf(label: string, words: readonly string[]): number[] {
  const parts = words
    .map((word) => ({ at: wordAt(label, word), end: wordAt(label, word) + word.length }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at);
  return parts.flatMap(({ at, end }, index) => (index > 0 && at < (parts[index - 1]?.end ?? 0) ? [] : [at, end]));
}

function rankOf(item: Item, query: string, isFound: boolean): Ranked | null {
  const label = (item.action.label ?? '').toLowerCase();
  const words = query.split(/\s+/u);
  const marks = marksOf(label, words);
  const inLabel = words.filter((word) => wordAt(label, word) >= 0).length;
  const ranked = (rank: Ranked['rank'], own: readonly number[]): Ranked => ({
    rank,
    item: { ...item, marks: own },
    inLabel,
  });
  const at = wordAt(label, query);
  if (at >= 0) return ranked(label === query ? 'name' : 'label', [at, at + query.length]);
  if (inLabel === words.length) return ranked('labelWords', marks);
  const all = `${label} ${item.action.description ?? ''} ${keywordsOf(item.action)}`.toLowerCase();
  if (isFound || words.every((word) => wordAt(all, word) >= 0)) return ranked('otherTexts', marks);
  const within = label.indexOf(query);
  return within >= 0 ? ranked('withinWord', [within, within + query.length]) : null;
}

/** Those whose texts have each word of the query as it is typed, at the beginning of a word where possible. */
function exactly(items: readonly Item[], query: string, matchIds: ReadonlySet<string>): Item[] {
  const all = items.flatMap((item) => rankOf(item, query, matchIds.has(item.action.id)) ?? []);
  return ranks.flatMap((rank) =>
    all
      .filter((one) => one.rank === rank)
      .toSorted((one, other) => other.inLabel - one.inLabel)
      .map(({ item }) => item),
  );
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
    const text = texts[index] ?? '';
    const ranges = info.ranges[place] ?? [];
    if (item === undefined || isWithinWord(text, ranges[0] ?? 0)) return [];
    if (query.length < LONG_ENOUGH && /^[\p{L}\d]/u.test(text.slice(ranges.at(-1) ?? 0))) return [];
    const end = (item.action.label ?? '').length;
    // The text begins with the label.
    const marks = ranges.map((at) => Math.min(at, end));
    return [{ ...item, marks: marks[0] === end ? [] : marks }];
  });
  return matches.toSorted((one, other) => markedLetters(other) - markedLetters(one));
}

const none: ReadonlySet<string> = new Set();

/** The actions that match, in their groups; all of them for an empty query. A wrong letter counts only if nothing else matches. */
export function findActions(
  query: string,
  groups: readonly SpotlightActionGroupData[],
  { matchIds = none, queryOnly = none, mayGuess = true }: SearchOptions = {},
): MatchGroup[] {
  const wanted = query.trim().toLowerCase();
  const items = groups.flatMap(({ group, actions }) => actions.map((action): Item => ({ group, action, marks: [] })));
  const exact =
    wanted === '' ? items.filter(({ action }) => !queryOnly.has(action.id)) : exactly(items, wanted, matchIds);
  const matches = exact.length > 0 || !mayGuess ? exact : nearly(items, wanted);
  const names = new Set(matches.map(({ group }) => group));
  return [...names].map((name) => ({ group: name, matches: matches.filter(({ group }) => group === name) }));
}
