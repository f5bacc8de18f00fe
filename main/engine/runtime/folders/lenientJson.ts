/** Parses JSON that people write by hand: with comments, and with a comma after the last item. */

/** Strings come first, so that their content does not match as a comment or a comma. */
const STRINGS_AND_COMMENTS = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const STRINGS_AND_COMMAS = /"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g;

/** Throws as `JSON.parse` does. */
export function parseLenientJson(text: string): unknown {
  const keepStrings = (match: string): string => (match.startsWith('"') ? match : '');
  const plain = text.replace(/^\uFEFF/, '').replaceAll(STRINGS_AND_COMMENTS, keepStrings);
  return JSON.parse(plain.replaceAll(STRINGS_AND_COMMAS, keepStrings));
}
