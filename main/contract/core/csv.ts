/** Writes rows of CSV for spreadsheets: commas, CRLF, quotes where a field needs them. No field runs as a formula. */

/** `json`: a number as it stands in JSON, with its digits: a number of JavaScript may lose some. */
export type CsvField = string | number | { readonly json: string } | null;

/**
 * Positions at which a spreadsheet may begin to read a formula: the start of the field, and the position after each
 * separator. Quotes do not protect every separator: a spreadsheet that separates lists by semicolons splits there, and
 * at line breaks, within quotes too.
 */
const FORMULA = /(^|[;\t\r\n])( *)(?=[=+\-@＝＋－＠])/g;
const JSON_NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

function csvField(field: CsvField): string {
  if (field === null) return '';
  if (typeof field === 'number') return String(field);
  // Anything else must not pass as a number: it could be a formula.
  if (typeof field === 'object') return JSON_NUMBER.test(field.json) ? field.json : csvField(field.json);
  const text = field.replaceAll(FORMULA, "$1$2'");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * One line with its CRLF. Numbers stay numbers. A text that a spreadsheet would run gets an apostrophe in front, which
 * makes it text.
 */
export const csvRow = (fields: readonly CsvField[]): string => `${fields.map(csvField).join(',')}\r\n`;
