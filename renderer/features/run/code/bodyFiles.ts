/**
 * Files that a request has as base64. Code reads them from the folder in which it runs: a picture would be one line of
 * many thousand letters.
 */
import { dataAddressOf, decodedBytes, formatOfBase64 } from '#contract/core/media/inlineData.ts';
import { typeOfFormat, typeOfMime, type MediaKind, type MediaType } from '../../../ui/output/mediaType.ts';
import { readText } from '../editor/requestText.ts';

/** A file that a person gave to the input. */
export interface NamedFile {
  readonly name: string;
  readonly sizeBytes: number;
}

export interface BodyFile {
  readonly name: string;
  /** Stands in the text in place of the base64. */
  readonly mark: string;
  /** What stands before the mark in its string, such as "data:image/png;base64,". */
  readonly prefix: string;
}

export interface LiftedBody {
  /** The body with a mark in place of the base64 of each file. */
  text: string;
  files: readonly BodyFile[];
}

/** Shorter strings are no burden in code. */
const LEAST_CHARS = 2048;
/** A string, and the colon that follows the name of a member. */
const STRINGS = /("(?:[^"\\]|\\.)*")(\s*:)?/g;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

const stems: Readonly<Record<MediaKind, string>> = { image: 'picture', audio: 'sound', video: 'video', file: 'file' };

/** `known`: files that the person gave to the input, of which some are in it. A body that is no JSON stays whole. */
export function liftFiles(body: string, known: readonly NamedFile[] = []): LiftedBody {
  if (body.length < LEAST_CHARS || !readText(body).ok) return { text: body, files: [] };
  const files = new Map<string, BodyFile>();
  const names = new Map<string, string>();
  let word = 'file';
  while (body.includes(`<${word} `)) word += '_';
  const text = body.replaceAll(STRINGS, (whole: string, quoted: string, colon: string | undefined) => {
    const encoded = colon === undefined ? encodedIn(quoted) : null;
    if (encoded === null) return whole;
    const { prefix, data, type } = encoded;
    const name = names.get(data) ?? nameOf(decodedBytes(data), type, known, [...names.values()]);
    names.set(data, name);
    const file = files.get(quoted) ?? { name, prefix, mark: `<${word} ${files.size + 1}>` };
    files.set(quoted, file);
    return JSON.stringify(prefix + file.mark);
  });
  return { text, files: [...files.values()] };
}

interface Encoded {
  prefix: string;
  data: string;
  type: MediaType | null;
}

/** The file in a JSON string; null for a string that is short or no base64 as encoders write it. */
function encodedIn(quoted: string): Encoded | null {
  if (quoted.length < LEAST_CHARS) return null;
  const value = String(JSON.parse(quoted));
  const address = dataAddressOf(value);
  if (address !== null && !address.isBase64) return null;
  const data = address?.data ?? value;
  // Other bytes than those of the file would be sent if its encoder wrote the last sign in another way.
  if (data.length % 4 !== 0 || !BASE64.test(data) || btoa(atob(data.slice(-4))) !== data.slice(-4)) return null;
  const format = formatOfBase64(data);
  const type = format === null ? address && typeOfMime(address.mime) : typeOfFormat(format);
  return { prefix: value.slice(0, value.length - data.length), data, type };
}

/** The name of the file that the person gave, as far as its size tells which one it is; else one that says its kind. */
function nameOf(bytes: number, type: MediaType | null, known: readonly NamedFile[], used: readonly string[]): string {
  const file = known.find(({ name, sizeBytes }) => sizeBytes === bytes && !used.includes(name));
  if (file !== undefined) return file.name;
  const stem = stems[type?.kind ?? 'file'];
  const extension = type?.extension ?? 'bin';
  let name = `${stem}.${extension}`;
  for (let number = 2; used.includes(name); number += 1) name = `${stem}-${number}.${extension}`;
  return name;
}
