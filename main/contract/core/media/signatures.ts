/** The formats of media and files that the first bytes of a file tell, and their MIME types. */

/** Bytes of which nothing is known. */
export const ANY_BYTES = 'application/octet-stream';

/** The MIME type of each format. */
export const formatMimes = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  svg: 'image/svg+xml',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  pdf: 'application/pdf',
  zip: 'application/zip',
  gzip: 'application/gzip',
  tiff: 'image/tiff',
  glb: 'model/gltf-binary',
  npy: ANY_BYTES,
} as const;
export type MediaFormat = keyof typeof formatMimes;

interface Sign {
  at: number;
  bytes: readonly number[];
}

const sign = (text: string, at = 0): Sign => ({ at, bytes: Array.from(text, (char) => char.charCodeAt(0)) });

/** In this order: the more exact sign first. Each type needs all of its signs. */
const signs: readonly (readonly [MediaFormat, ...Sign[]])[] = [
  ['png', sign('\x89PNG\r\n\x1a\n')],
  ['jpeg', sign('\xff\xd8\xff')],
  ['gif', sign('GIF87a')],
  ['gif', sign('GIF89a')],
  ['webp', sign('RIFF'), sign('WEBP', 8)],
  ['wav', sign('RIFF'), sign('WAVE', 8)],
  ['avif', sign('ftypavif', 4)],
  ['avif', sign('ftypavis', 4)],
  ['m4a', sign('ftypM4A', 4)],
  ['mov', sign('ftypqt', 4)],
  ['mp4', sign('ftyp', 4)],
  ['webm', sign('\x1a\x45\xdf\xa3')],
  ['ogg', sign('OggS')],
  ['flac', sign('fLaC')],
  ['mp3', sign('ID3')],
  ['mp3', sign('\xff\xfb')],
  ['mp3', sign('\xff\xf3')],
  ['mp3', sign('\xff\xf2')],
  ['pdf', sign('%PDF-')],
  ['zip', sign('PK\x03\x04')],
  ['gzip', sign('\x1f\x8b\x08')],
  ['tiff', sign('II*\0')],
  ['tiff', sign('MM\0*')],
  ['glb', sign('glTF')],
  ['npy', sign('\x93NUMPY')],
  // Two letters are a weak sign; the reserved zeros behind them make it a strong one.
  ['bmp', sign('BM'), sign('\0\0\0\0', 6)],
];

/** Most bytes that a sign looks at. */
export const SNIFFED_BYTES = 16;

/** The format of bytes by their beginning; null if it is unknown. */
export function formatOfBytes(bytes: Uint8Array): MediaFormat | null {
  const has = ({ at, bytes: wanted }: Sign): boolean => wanted.every((byte, index) => bytes[at + index] === byte);
  return signs.find(([, ...all]) => all.every(has))?.[0] ?? null;
}
