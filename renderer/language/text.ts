/**
 * The texts of the page. Each stands in English where it is shown, as t`Delete ${name}?`, and in the catalogue en.json,
 * which `npm run texts` writes. A translation gives another text for the English one.
 */
import { Fragment, createElement, type ReactNode } from 'react';
import { arrange, createTexts } from '#contract/language/translation.ts';
import { language, translation } from './translation.ts';

const { t, counted, translated, marked } = createTexts(language, translation);
export { counted, t, translated };

/** As `t`, with elements among the values: rich`Its key is in ${<b>{place}</b>}.` */
export const rich = (parts: TemplateStringsArray, ...values: readonly ReactNode[]): ReactNode => {
  const pieces = arrange<ReactNode>(parts, values, translation);
  return createElement(Fragment, null, ...pieces.map((piece) => (typeof piece === 'string' ? marked(piece) : piece)));
};
