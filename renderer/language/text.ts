/**
 * The texts of the page. Each stands in English where it is shown, as t`Delete ${name}?`, and in the catalogue en.json, which
 * `npm run texts` writes. A translation gives another text for the English one.
 */
import { Fragment, createElement, type ReactNode } from 'react';
import { PSEUDO, language, translation, type Translation } from './translation.ts';

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

const bracketed = (text: string): string => (language === PSEUDO && text.trim() !== '' ? `⟦${text}⟧` : text);

/** A text of the page in the language of the person, with its values. */
export const t = (parts: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  bracketed(arrange(parts, values, translation).join(''));

/** As `t`, with elements among the values: rich`Its key is in ${<b>{place}</b>}.` */
export const rich = (parts: TemplateStringsArray, ...values: readonly ReactNode[]): ReactNode => {
  const pieces = arrange<ReactNode>(parts, values, translation);
  return createElement(
    Fragment,
    null,
    ...pieces.map((piece) => (typeof piece === 'string' ? bracketed(piece) : piece)),
  );
};

const rules = new Intl.PluralRules(language);

/** A count in words: counted(3, '{0} job', '{0} jobs') is "3 jobs". `shown` is the count as it is written, such as "1 200". */
export const counted = (count: number, one: string, other: string, shown: string | number = count): string =>
  bracketed(pluralText(count, one, other, translation, rules).replace('{0}', String(shown)));

/** A text that a host shows as well, so that it stands in main/contract/, such as the title of a page. */
export const translated = (english: string): string => bracketed(arrange([english], [], translation).join(''));
