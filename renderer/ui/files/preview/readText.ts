/** What the bytes of a file are for a person: a text, a medium, a notebook, or nothing that a page can show. */
import { sniff, svgType, type MediaType } from '../../output/mediaType.ts';
import { t } from '../../../language/text.ts';

/** A text that is shown, and perhaps changed. */
export interface FileText {
  readonly text: string;
  /** How its lines end; saving keeps that. */
  readonly lineEnd: '\n' | '\r\n';
  /** Why it can only be read; null if it can be changed. */
  readonly whyFixed: string | null;
  /** Whether it is only the beginning of the file. */
  readonly isCut: boolean;
}

export type Preview =
  | { show: 'text' }
  | { show: 'notebook' }
  | { show: 'media'; type: MediaType }
  | { show: 'nothing' };

/** What a file is by its name and its first bytes: its content decides, because a name may say anything. */
export function previewOf(name: string, beginning: Uint8Array): Preview {
  const type = sniff(beginning);
  if (type !== null) return type.kind === 'file' ? { show: 'nothing' } : { show: 'media', type };
  if (beginning.includes(0)) return { show: 'nothing' };
  if (/\.svg$/i.test(name)) return { show: 'media', type: svgType };
  return { show: /\.ipynb$/i.test(name) ? 'notebook' : 'text' };
}

/** `isCut`: the bytes are only the beginning of the file. */
export function readText(bytes: Uint8Array, isCut: boolean): FileText {
  const [text, isUtf8] = decode(bytes, isCut);
  const ends: readonly string[] = text.match(/\r\n|\r|\n/g) ?? [];
  const isWindows = ends.includes('\r\n');
  const isMixed = ends.includes('\r') || (isWindows && ends.includes('\n'));
  const whyFixed = isCut
    ? t`It is too large to edit here. This is the beginning of the file.`
    : !isUtf8
      ? t`It is not UTF-8, so it is read-only here.`
      : isMixed
        ? t`Its line endings are mixed, so it is read-only here.`
        : null;
  return { text, lineEnd: isWindows ? '\r\n' : '\n', whyFixed, isCut };
}

function decode(bytes: Uint8Array, isCut: boolean): [text: string, isUtf8: boolean] {
  // A mark of the byte order stays, so that saving keeps it. The last character of a part may be cut in two.
  const options = { ignoreBOM: true };
  try {
    return [new TextDecoder('utf-8', { ...options, fatal: true }).decode(bytes, { stream: isCut }), true];
  } catch {
    // Bytes that are no UTF-8 become a sign for that, and the text cannot be changed.
    return [new TextDecoder('utf-8', options).decode(bytes), false];
  }
}
