/** Rows as a file that spreadsheets read: commas, CRLF, quotes where a field needs them, and no field that is run as a formula. */

export type CsvField = string | number | null;

/**
 * Where a cell may begin that a spreadsheet takes for a formula: at the begin of the field, and after each separator that quotes do
 * not protect everywhere. Where lists are separated by semicolons, a spreadsheet splits there, and at line breaks, within quotes too.
 */
const FORMULA = /(^|[;\t\r\n])( *)(?=[=+\-@＝＋－＠])/g;
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/;

function csvField(field: CsvField): string {
  if (field === null) return '';
  if (typeof field === 'number') return String(field);
  const text = field.replaceAll(FORMULA, "$1$2'");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line with its end. Numbers stay numbers; text that a spreadsheet would run gets an apostrophe in front, which makes it text. */
export const csvRow = (fields: readonly CsvField[]): string => `${fields.map(csvField).join(',')}\r\n`;
