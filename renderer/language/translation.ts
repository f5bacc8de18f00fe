/**
 * Which language the page speaks. A translation is one JSON file beside this one; English has none to read, because it
 * stands in the code.
 */
import { chooseLanguage, type Translation } from '#contract/language/translation.ts';

/** The addresses of the translations by language, such as `de` or `pt-BR`. */
const addresses = new Map(
  Object.entries(
    import.meta.glob<string>(['./*.json', '!./en.json'], { query: '?url&no-inline', import: 'default', eager: true }),
  ).map(([path, address]) => [path.slice('./'.length, -'.json'.length), address]),
);

export const language = chooseLanguage(navigator.languages, new Set(addresses.keys()));

/**
 * Reads a translation before the next line runs, because constants of modules have texts, too. To wait for a promise
 * instead would split the page into three times as many files. Null where it cannot be read: the page speaks English
 * then.
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
