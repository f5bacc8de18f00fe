/**
 * Payloads as cells of a CSV table. Files inside a payload are replaced by what they are, and no cell is longer than
 * table programs accept.
 */
import { arrayItems, mapStrings, parseJsonOrNull, topLevelSpans } from '#contract/core/jsonScanner.ts';
import type { CsvField } from '#contract/core/csv.ts';
import { dataAddressOf, decodedBytes, formatOfBase64 } from '#contract/core/media/inlineData.ts';
import { formatMimes } from '#contract/core/media/signatures.ts';
import { redact } from '../../platform/redaction.ts';

/** Most characters of a cell. Table programs accept 32 767, and quotes are doubled. */
const CELL_LENGTH = 32_000;
const CUT = '… (cut; the whole is in an export as JSON Lines)';
/** Shorter strings hold no file. */
const LEAST_FILE = 20;
/** Room for the item of a list, or the field of an object, that counts what was left out. */
const REST_LENGTH = 80;

export interface Cells {
  /** A text, without secrets. */
  text(value: CsvField): CsvField;
  /** JSON text as it stands, without secrets and without files. */
  json(raw: string | null): CsvField;
  /** The same; a string of JSON is its characters, and a number is a number of the table. */
  value(raw: string | null): CsvField;
  /** How many cells were cut so far. */
  cut(): number;
}

const sizeWords = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${Math.round(kilobytes)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
};

/** "image/png, 85 KB"; null for a text that is no file. */
function fileWords(text: string): string | null {
  const address = text.startsWith('data:') ? dataAddressOf(text) : null;
  if (address !== null) {
    return `${address.mime}, ${sizeWords(address.isBase64 ? decodedBytes(address.data) : address.data.length)}`;
  }
  const format = formatOfBase64(text);
  return format && `${formatMimes[format]}, ${sizeWords(decodedBytes(text.trimEnd()))}`;
}

/** JSON text whose files are replaced by words. */
const withoutFiles = (raw: string): string =>
  mapStrings(raw, (string) => {
    if (string.length < LEAST_FILE) return string;
    const text = parseJsonOrNull(string);
    const words = typeof text === 'string' ? fileWords(text) : null;
    return words === null ? string : JSON.stringify(words);
  });

/** The beginning of a text, without half of a character, and that it was cut. `budget`: most characters. */
function cutText(text: string, budget: number): string {
  const start = text.slice(0, Math.max(0, budget - CUT.length));
  return (start.isWellFormed() ? start : start.slice(0, -1)) + CUT;
}

function cutString(raw: string, budget: number): string {
  const text = String(JSON.parse(raw));
  // Escapes make a text longer in JSON.
  for (let room = budget - 2; ;) {
    const shorter = JSON.stringify(cutText(text, room));
    if (shorter.length <= budget || room <= CUT.length) return shorter;
    room = Math.floor((room * budget) / shorter.length) - 1;
  }
}

/** As many of the parts as there is room for, the last one cut. Returns the number of parts that were left out, too. */
function fill(parts: readonly (readonly [prefix: string, raw: string])[], budget: number): [string[], number] {
  const shown: string[] = [];
  let room = budget - REST_LENGTH - 2;
  for (const [prefix, raw] of parts) {
    const space = room - prefix.length - 1;
    if (raw.length > space) {
      if (space > 2 * REST_LENGTH) shown.push(prefix + cutJson(raw, space));
      break;
    }
    shown.push(prefix + raw);
    room = space - raw.length;
  }
  return [shown, parts.length - shown.length];
}

/** Valid JSON of at most about `budget` characters: the beginning of what `raw` has. */
function cutJson(raw: string, budget: number): string {
  if (raw.length <= budget) return raw;
  if (raw.startsWith('"')) return cutString(raw, budget);
  if (raw.startsWith('[')) {
    const [items, left] = fill(
      arrayItems(raw).map((item) => ['', item] as const),
      budget,
    );
    return `[${[...items, ...(left > 0 ? [JSON.stringify(`${left} more${CUT}`)] : [])].join(',')}]`;
  }
  if (!raw.startsWith('{')) return JSON.stringify(CUT);
  const fields = [...topLevelSpans(raw)].map(
    ([name, { start, end }]) => [`${JSON.stringify(name)}:`, raw.slice(start, end)] as const,
  );
  const [shown, left] = fill(fields, budget);
  return `{${[...shown, ...(left > 0 ? [`"…":${JSON.stringify(`${left} more${CUT}`)}`] : [])].join(',')}}`;
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // The text is not JSON, which is what the caller asks.
    return false;
  }
};

export function createCells(): Cells {
  let cutCount = 0;
  const fitted = (text: string, shorten: (text: string, budget: number) => string): string => {
    if (text.length <= CELL_LENGTH) return text;
    cutCount += 1;
    return shorten(text, CELL_LENGTH);
  };
  const text = (value: CsvField): CsvField => (typeof value === 'string' ? fitted(redact(value), cutText) : value);
  /** Without secrets and files; null if it is no JSON. */
  const cleanJson = (raw: string): string | null => {
    const clean = redact(raw).trim();
    return isJson(clean) ? withoutFiles(clean) : null;
  };
  return {
    text,
    json(raw) {
      if (raw === null) return null;
      const clean = cleanJson(raw);
      return clean === null ? text(raw) : fitted(clean, cutJson);
    },
    value(raw) {
      if (raw === null) return null;
      const clean = cleanJson(raw);
      if (clean === null) return text(raw);
      if (clean.startsWith('"')) return text(String(JSON.parse(clean)));
      if (clean.startsWith('{') || clean.startsWith('[')) return fitted(clean, cutJson);
      return clean === 'null' ? null : { json: clean };
    },
    cut: () => cutCount,
  };
}
