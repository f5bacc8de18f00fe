/** What bytes are, by their first ones. The page shows only types that every browser can show; the rest are files. */
import { ANY_BYTES, formatMimes, formatOfBytes, type MediaFormat } from '#contract/core/media/signatures.ts';
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
  png: type('image', formatMimes.png, 'PNG'),
  jpeg: type('image', formatMimes.jpeg, 'JPEG', 'jpg'),
  gif: type('image', formatMimes.gif, 'GIF'),
  webp: type('image', formatMimes.webp, 'WebP'),
  avif: type('image', formatMimes.avif, 'AVIF'),
  bmp: type('image', formatMimes.bmp, 'BMP'),
  svg: type('image', formatMimes.svg, 'SVG'),
  wav: type('audio', formatMimes.wav, 'WAV'),
  mp3: type('audio', formatMimes.mp3, 'MP3'),
  ogg: type('audio', formatMimes.ogg, 'Ogg', 'ogg'),
  flac: type('audio', formatMimes.flac, 'FLAC'),
  m4a: type('audio', formatMimes.m4a, 'M4A'),
  mp4: type('video', formatMimes.mp4, 'MP4'),
  mov: type('video', formatMimes.mov, 'MOV'),
  webm: type('video', formatMimes.webm, 'WebM'),
  pdf: type('file', formatMimes.pdf, 'PDF'),
  zip: type('file', formatMimes.zip, 'ZIP'),
  gzip: type('file', formatMimes.gzip, 'gzip', 'gz'),
  tiff: type('file', formatMimes.tiff, 'TIFF'),
  glb: type('file', formatMimes.glb, 'GLB'),
  npy: type('file', formatMimes.npy, 'NumPy', 'npy'),
} as const satisfies Record<MediaFormat, MediaType>;

export const svgType = types.svg;

export const typeOfFormat = (format: MediaFormat): MediaType => types[format];

/** The type of bytes by their beginning; null if it is unknown. */
export function sniff(bytes: Uint8Array): MediaType | null {
  const format = formatOfBytes(bytes);
  return format && typeOfFormat(format);
}

const byMime = new Map<string, MediaType>(
  Object.values(types)
    .filter(({ mime }) => mime !== ANY_BYTES)
    .map((one) => [one.mime, one]),
);
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
  return known ?? type('file', plain === '' ? ANY_BYTES : plain, plain || t`File`, 'bin');
}

/** Whether a host that calls bytes so says nothing about them. Stores of objects call most files so. */
export const isAnyBytes = (mime: string): boolean =>
  ['', ANY_BYTES, 'binary/octet-stream', 'application/binary'].includes(mime.trim().toLowerCase().split(';')[0] ?? '');

const file = (extension: string, mime: string = ANY_BYTES, name = extension.toUpperCase()): [string, MediaType] => [
  extension,
  type('file', mime, name, extension),
];

/**
 * Files that their first bytes do not tell apart, by their names. Pages of the web are not among them: their addresses
 * are links.
 */
const fileTypes: readonly [string, MediaType][] = [
  file('txt', 'text/plain', t`Text`),
  file('log', 'text/plain', t`Text`),
  file('md', 'text/markdown', 'Markdown'),
  file('csv', 'text/csv'),
  file('tsv', 'text/tab-separated-values'),
  file('json', 'application/json'),
  file('jsonl', 'application/jsonl'),
  file('xml', 'application/xml'),
  file('yaml', 'application/yaml'),
  file('srt', 'application/x-subrip'),
  file('vtt', 'text/vtt', 'WebVTT'),
  file('mid', 'audio/midi', 'MIDI'),
  file('docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'),
  file('xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'),
  file('pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'),
  file('tar', 'application/x-tar'),
  file('tgz', 'application/gzip', 'gzip'),
  file('bz2', 'application/x-bzip2', 'bzip2'),
  file('xz', 'application/x-xz', 'xz'),
  file('zst', 'application/zstd', 'Zstandard'),
  file('7z', 'application/x-7z-compressed', '7-Zip'),
  file('parquet', 'application/vnd.apache.parquet', 'Parquet'),
  file('arrow', 'application/vnd.apache.arrow.file', 'Arrow'),
  file('npz', ANY_BYTES, 'NumPy'),
  file('h5', 'application/x-hdf5', 'HDF5'),
  file('safetensors', ANY_BYTES, 'Safetensors'),
  file('gguf'),
  file('onnx'),
  file('pt', ANY_BYTES, 'PyTorch'),
  file('pth', ANY_BYTES, 'PyTorch'),
  file('ckpt', ANY_BYTES, t`Checkpoint`),
  file('bin', ANY_BYTES, t`File`),
  file('obj', 'model/obj'),
  file('ply'),
  file('stl', 'model/stl'),
  file('gltf', 'model/gltf+json', 'glTF'),
  file('usdz', 'model/vnd.usdz+zip'),
  file('fbx'),
  file('exr', 'image/x-exr', 'OpenEXR'),
  file('hdr', 'image/vnd.radiance', 'HDR'),
];

const byExtension = new Map<string, MediaType>([
  ...Object.values(types).map((one): [string, MediaType] => [one.extension, one]),
  ['jpeg', types.jpeg],
  ['oga', types.ogg],
  ['opus', types.ogg],
  ['m4v', types.mp4],
  ['tif', types.tiff],
  ['yml', type('file', 'application/yaml', 'YAML')],
  ...fileTypes,
]);

/** The type of a file by its name; null if it is unknown. */
export const typeOfName = (name: string): MediaType | null =>
  byExtension.get(/\.([a-z0-9]{2,11})$/i.exec(name)?.[1]?.toLowerCase() ?? '') ?? null;
