/** What bytes are, by their first ones. The page shows only types that every browser can show; the rest are files. */
import { t } from '../../language/text.ts';

export type MediaKind = 'image' | 'audio' | 'video' | 'file';

export interface MediaType {
  kind: MediaKind;
  /** What a browser is told. */
  mime: string;
  /** For a person: "PNG". */
  name: string;
  /** For a file name, without a dot. */
  extension: string;
}

const type = (kind: MediaKind, mime: string, name: string, extension = name.toLowerCase()): MediaType => ({
  kind,
  mime,
  name,
  extension,
});

const types = {
  png: type('image', 'image/png', 'PNG'),
  jpeg: type('image', 'image/jpeg', 'JPEG', 'jpg'),
  gif: type('image', 'image/gif', 'GIF'),
  webp: type('image', 'image/webp', 'WebP'),
  avif: type('image', 'image/avif', 'AVIF'),
  bmp: type('image', 'image/bmp', 'BMP'),
  svg: type('image', 'image/svg+xml', 'SVG'),
  wav: type('audio', 'audio/wav', 'WAV'),
  mp3: type('audio', 'audio/mpeg', 'MP3'),
  ogg: type('audio', 'audio/ogg', 'Ogg', 'ogg'),
  flac: type('audio', 'audio/flac', 'FLAC'),
  m4a: type('audio', 'audio/mp4', 'M4A'),
  mp4: type('video', 'video/mp4', 'MP4'),
  mov: type('video', 'video/quicktime', 'MOV'),
  webm: type('video', 'video/webm', 'WebM'),
  pdf: type('file', 'application/pdf', 'PDF'),
  zip: type('file', 'application/zip', 'ZIP'),
  gzip: type('file', 'application/gzip', 'gzip', 'gz'),
  tiff: type('file', 'image/tiff', 'TIFF'),
  glb: type('file', 'model/gltf-binary', 'GLB'),
  npy: type('file', 'application/octet-stream', 'NumPy', 'npy'),
} as const;

export const svgType = types.svg;

interface Sign {
  at: number;
  bytes: readonly number[];
}

const sign = (text: string, at = 0): Sign => ({ at, bytes: Array.from(text, (char) => char.charCodeAt(0)) });

/** In this order: the more exact sign first. Each type needs all of its signs. */
const signs: readonly (readonly [MediaType, ...Sign[]])[] = [
  [types.png, sign('\x89PNG\r\n\x1a\n')],
  [types.jpeg, sign('\xff\xd8\xff')],
  [types.gif, sign('GIF87a')],
  [types.gif, sign('GIF89a')],
  [types.webp, sign('RIFF'), sign('WEBP', 8)],
  [types.wav, sign('RIFF'), sign('WAVE', 8)],
  [types.avif, sign('ftypavif', 4)],
  [types.avif, sign('ftypavis', 4)],
  [types.m4a, sign('ftypM4A', 4)],
  [types.mov, sign('ftypqt', 4)],
  [types.mp4, sign('ftyp', 4)],
  [types.webm, sign('\x1a\x45\xdf\xa3')],
  [types.ogg, sign('OggS')],
  [types.flac, sign('fLaC')],
  [types.mp3, sign('ID3')],
  [types.mp3, sign('\xff\xfb')],
  [types.mp3, sign('\xff\xf3')],
  [types.mp3, sign('\xff\xf2')],
  [types.pdf, sign('%PDF-')],
  [types.zip, sign('PK\x03\x04')],
  [types.gzip, sign('\x1f\x8b\x08')],
  [types.tiff, sign('II*\0')],
  [types.tiff, sign('MM\0*')],
  [types.glb, sign('glTF')],
  [types.npy, sign('\x93NUMPY')],
  // Two letters are a weak sign; the reserved zeros behind them make it a strong one.
  [types.bmp, sign('BM'), sign('\0\0\0\0', 6)],
];

/** Most bytes that a sign looks at. */
export const SNIFFED_BYTES = 16;

/** The type of bytes by their beginning; null if it is unknown. */
export function sniff(bytes: Uint8Array): MediaType | null {
  const has = ({ at, bytes: wanted }: Sign): boolean => wanted.every((byte, index) => bytes[at + index] === byte);
  return signs.find(([, ...all]) => all.every(has))?.[0] ?? null;
}

const byMime = new Map<string, MediaType>(Object.values(types).map((one) => [one.mime, one]));
const otherMimes: Readonly<Record<string, MediaType>> = {
  'image/jpg': types.jpeg,
  'audio/x-wav': types.wav,
  'audio/wave': types.wav,
  'audio/mp3': types.mp3,
  'audio/x-flac': types.flac,
  'audio/x-m4a': types.m4a,
  'audio/webm': { ...types.webm, kind: 'audio', mime: 'audio/webm' },
  'video/ogg': { ...types.ogg, kind: 'video', mime: 'video/ogg', extension: 'ogv' },
  'text/plain': type('file', 'text/plain', t`Text`, 'txt'),
  'text/csv': type('file', 'text/csv', 'CSV'),
  'text/html': type('file', 'text/html', 'HTML'),
  'application/json': type('file', 'application/json', 'JSON'),
};

/** The type of a data address by what it says of itself. What the page does not know is a file of that type. */
export function typeOfMime(mime: string): MediaType {
  const plain = mime.trim().toLowerCase();
  const known = otherMimes[plain] ?? byMime.get(plain);
  return known ?? type('file', plain === '' ? 'application/octet-stream' : plain, plain || t`File`, 'bin');
}

const byExtension = new Map<string, MediaType>([
  ...Object.values(types).map((one): [string, MediaType] => [one.extension, one]),
  ['jpeg', types.jpeg],
  ['oga', types.ogg],
  ['opus', types.ogg],
  ['m4v', types.mp4],
  ['gz', types.gzip],
]);

/** The type of a file by its name; null if it is unknown. */
export const typeOfName = (name: string): MediaType | null =>
  byExtension.get(/\.([a-z0-9]{2,5})$/i.exec(name)?.[1]?.toLowerCase() ?? '') ?? null;
