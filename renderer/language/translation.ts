/** Which language the page speaks. A translation is one JSON file beside this one; English has none to read, because it stands in the code. */

/**
 * Texts by the English ones. A text with a count has one for each plural form of the language (Intl.PluralRules), such as
 * `{ "one": "{0} job", "other": "{0} jobs" }`.
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

/** The addresses of the translations by language, such as `de` or `pt-BR`. */
const addresses = new Map(
  Object.entries(
    import.meta.glob<string>(['./*.json', '!./en.json'], { query: '?url&no-inline', import: 'default', eager: true }),
  ).map(([path, address]) => [path.slice('./'.length, -'.json'.length), address]),
);

export const language = chooseLanguage(navigator.languages, new Set(addresses.keys()));

/**
 * Reads a translation before the next line runs, because constants of modules have texts, too. To wait for a promise instead
 * would split the page into three times as many files. Null where it cannot be read: the page speaks English then.
 */
export function readTranslation(address: string): Translation | null {
  try {
    const request = new XMLHttpRequest();
    request.open('GET', address, false);
    request.send();
    if (request.status !== 200) return null;
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- texts.spec.ts checks each translation
    const translation: Translation = JSON.parse(request.responseText);
    return translation;
  } catch {
    // Neither a lost connection nor a broken file may keep the page from starting.
    return null;
  }
}

const address = addresses.get(language);

/** Null: English. */
export const translation: Translation | null = address === undefined ? null : readTranslation(address);
