/**
 * The texts of the desktop host: its menus, dialogs, notifications and the tray. They stand in English where they are
 * shown and in the catalogue of the page (renderer/language/text.ts), so that one file translates both.
 */
import { chooseLanguage, createTexts, type Texts, type Translation } from '#contract/language/translation.ts';

/** The translations by path. English has none to read, because it stands in the code. */
const files = import.meta.glob<Translation>(['/renderer/language/*.json', '!/renderer/language/en.json'], {
  import: 'default',
  eager: true,
});
const translations = new Map(
  Object.entries(files).map(([path, translation]) => [
    path.slice('/renderer/language/'.length, -'.json'.length),
    translation,
  ]),
);

let language = 'en';
let texts: Texts = createTexts(language, null);

/**
 * `languages`: those of the person, the best first. Call after `ready` and before the first text; until then, texts are
 * English.
 */
export function chooseTexts(languages: readonly string[]): void {
  language = chooseLanguage(languages, new Set(translations.keys()));
  texts = createTexts(language, translations.get(language) ?? null);
}

/** A text with its values: t`Stop the Pod ${name}?` */
export const t: Texts['t'] = (parts, ...values) => texts.t(parts, ...values);

/** A count in words: counted(3, '{0} job', '{0} jobs'). */
export const counted: Texts['counted'] = (...count) => texts.counted(...count);

/** A text that stands in main/contract/, such as the title of a page. */
export const translated: Texts['translated'] = (english) => texts.translated(english);

const small = new Set(['a', 'an', 'and', 'in', 'of', 'or', 'the', 'this', 'to']);

/**
 * The text as a menu has it: English menus are in title case, as "New API Key"; in other languages there is no such
 * rule.
 */
export const menuCase = (text: string): string =>
  language === 'en'
    ? text
        .split(' ')
        .map((word, index) => (index > 0 && small.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
        .join(' ')
    : text;
