/** Pictures, sound, films and files inside an output: recognized in its strings, decoded when they are shown. */
import { dataAddressOf, decodedBytes, formatOfBase64, standardBase64 } from '#contract/core/media/inlineData.ts';
import { svgType, typeOfFormat, typeOfMime, typeOfName, type MediaKind, type MediaType } from './mediaType.ts';
import { t } from '../../language/text.ts';
import { bytesOfBase64 } from '../../client/transport/decodeBytes.ts';

/**
 * Where the bytes are: in the output itself, in a file that was read, or on a host that is asked only after a click.
 */
export type MediaSource =
  | { kind: 'base64'; data: string }
  | { kind: 'text'; text: string }
  | { kind: 'file'; bytes: Blob }
  | { kind: 'remote'; url: string; host: string };

export interface Media {
  type: MediaType;
  source: MediaSource;
  /** Null for what lies elsewhere. */
  sizeBytes: number | null;
  /** What its file is called, with its extension; absent where neither its address nor the output says it. */
  fileName?: string;
}

const FILE_NAME = /^[^\\/\p{Cc}]{1,200}\.[a-z0-9]{1,12}$/iu;

export const isFileName = (name: string): boolean => FILE_NAME.test(name);

/** What a medium is saved as. `base`: the beginning of the names of its output; `number`: among others, from 1. */
export function savedName({ fileName }: Media, { extension }: MediaType, base: string, number: number | null): string {
  return fileName ?? `${base}${number === null ? '' : `-${number}`}.${extension}`;
}

/** Characters of a string in which the beginning of an SVG stands. */
const CHECKED_CHARS = 256;
const SVG = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)?<svg[\s>]/;

const namedKinds: readonly [RegExp, MediaKind][] = [
  [/image|img|picture|photo|thumbnail|mask/i, 'image'],
  [/audio|speech|voice|sound|wav/i, 'audio'],
  [/video|movie|clip|animation/i, 'video'],
];
const namedTypes: Readonly<Partial<Record<MediaKind, MediaType>>> = {
  image: { kind: 'image', mime: 'image/*', name: t`Image`, extension: 'img' },
  audio: { kind: 'audio', mime: 'audio/*', name: t`Audio`, extension: 'audio' },
  video: { kind: 'video', mime: 'video/*', name: t`Video`, extension: 'video' },
};

/**
 * The media in one string, or null. `name`: the name of the field, which tells what an address without an extension
 * leads to.
 */
export function readMedia(value: string, name: string | number = ''): Media | null {
  if (value.length < 10) return null;
  if (value.startsWith('data:')) return readDataAddress(value);
  if (value.startsWith('http://') || value.startsWith('https://')) return readAddress(value, String(name));
  if (SVG.test(value.slice(0, CHECKED_CHARS))) {
    return { type: svgType, source: { kind: 'text', text: value }, sizeBytes: new Blob([value]).size };
  }
  return readBase64(value);
}

function readDataAddress(value: string): Media | null {
  const address = dataAddressOf(value);
  if (address === null) return null;
  const { mime, isBase64, data } = address;
  const type = typeOfMime(mime);
  if (isBase64) return { type, source: { kind: 'base64', data }, sizeBytes: decodedBytes(data) };
  try {
    const text = decodeURIComponent(data);
    return { type, source: { kind: 'text', text }, sizeBytes: new Blob([text]).size };
  } catch {
    // Broken percent signs: it is shown as the text it is.
    return null;
  }
}

function readAddress(value: string, name: string): Media | null {
  if (/\s/.test(value) || !URL.canParse(value)) return null;
  const { host, pathname } = new URL(value);
  const kind = namedKinds.find(([pattern]) => pattern.test(name))?.[1];
  const type = typeOfName(pathname) ?? (kind && namedTypes[kind]);
  if (!type) return null;
  const fileName = nameInPath(pathname);
  const source = { kind: 'remote' as const, url: value, host };
  return { type, source, sizeBytes: null, ...(fileName !== null && { fileName }) };
}

/** The last part of a path if it names a file. */
function nameInPath(pathname: string): string | null {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  try {
    const name = decodeURIComponent(last);
    return isFileName(name) ? name : null;
  } catch {
    // Broken percent signs: the file is called after the output.
    return null;
  }
}

function readBase64(value: string): Media | null {
  const format = formatOfBase64(value);
  if (format === null) return null;
  const data = value.trimEnd();
  return { type: typeOfFormat(format), source: { kind: 'base64', data }, sizeBytes: decodedBytes(data) };
}

/**
 * The bytes of media that are in the output. @throws {DOMException | SyntaxError} if they are not base64, whatever they began with.
 */
export function blobOf({ type, source }: Media): Blob | null {
  if (source.kind === 'remote') return null;
  if (source.kind === 'file') return new Blob([source.bytes], { type: type.mime });
  if (source.kind === 'text') return new Blob([source.text], { type: type.mime });
  return new Blob([bytesOfBase64(standardBase64(source.data))], { type: type.mime });
}
