/**
 * Texts in the language of a person. The code has them in English; a translation is one JSON file in renderer/language/
 * that gives another text for the English one. The page and the desktop host read the same files.
 */

/**
 * Texts by the English ones. A text with a count has one for each plural form of the language (Intl.PluralRules), such
 * as `{ "one": "{0} job", "other": "{0} jobs" }`.
 */
export type Translation = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** The language of testers, as on Android: English in brackets, so that a text that nobody can translate is seen. */
export const PSEUDO = 'en-XA';

/** The first language of the person that `there` has, or English. */
export function chooseLanguage(wanted: readonly string[], there: ReadonlySet<string>): string {
  for (const language of wanted) {
    const [general = ''] = language.split('-');
    if (there.has(language) || language === PSEUDO) return language;
    if (general === 'en' || there.has(general)) return general;
  }
  return 'en';
}

/** The name of a text in the catalogue: its values are numbered, as in "Delete {0}?". */
const keyOf = (parts: readonly string[]): string => parts.reduce((key, part, index) => `${key}{${index - 1}}${part}`);

const VALUE = /\{(\d+)\}/;

/** The pieces of a text and its values, in the order that the language has them in. */
export function arrange<Value>(
  parts: readonly string[],
  values: readonly Value[],
  translated: Translation | null,
): (string | Value)[] {
  const text = translated?.[keyOf(parts)];
  if (typeof text !== 'string')
    return parts.flatMap<string | Value>((part, index) => [...values.slice(Math.max(0, index - 1), index), part]);
  return text
    .split(VALUE)
    .map<string | Value>((piece, index) => (index % 2 === 0 ? piece : (values[Number(piece)] ?? '')));
}

/** The text for a count, by the plural forms of the language; `other` is its name in the catalogue. */
export function pluralText(
  count: number,
  one: string,
  other: string,
  translated: Translation | null,
  rules: Intl.PluralRules,
): string {
  const forms = translated?.[other];
  if (typeof forms !== 'object') return count === 1 ? one : other;
  return forms[rules.select(count)] ?? forms['other'] ?? other;
}

export interface Texts {
  /** A text with its values: t`Delete ${name}?` */
  readonly t: (parts: TemplateStringsArray, ...values: readonly (string | number)[]) => string;
  /**
   * A count in words: counted(3, '{0} job', '{0} jobs') is "3 jobs". `shown` is the count as it is written, such as "1
   * 200".
   */
  readonly counted: (count: number, one: string, other: string, shown?: string | number) => string;
  /** A text that stands in main/contract/, because the page and the host show it, such as the title of a page. */
  readonly translated: (english: string) => string;
  /** Marks a text of the language of testers; every other one stays as it is. */
  readonly marked: (text: string) => string;
}

/** The texts of a language. `translation`: null for English. */
export function createTexts(language: string, translation: Translation | null): Texts {
  const rules = new Intl.PluralRules(language);
  const marked = (text: string): string => (language === PSEUDO && text.trim() !== '' ? `⟦${text}⟧` : text);
  return {
    t: (parts, ...values) => marked(arrange(parts, values, translation).join('')),
    counted: (count, one, other, shown = count) =>
      marked(pluralText(count, one, other, translation, rules).replace('{0}', String(shown))),
    translated: (english) => marked(arrange([english], [], translation).join('')),
    marked,
  };
}
