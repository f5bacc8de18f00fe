/** Writes to the clipboard and says how that ended. */
import { notifications } from '@mantine/notifications';
// A page that comes over plain http from another computer has no Clipboard API: there the library copies a selection.
import copy from 'copy-to-clipboard';
import { t } from '../../language/text.ts';
import { announce } from '../primitives/announce.tsx';
import { writeLater } from './writeLater.ts';

/** Announces `done` to screen readers, or shows why nothing is in the clipboard. Returns `isCopied`. */
function report(isCopied: boolean, done: string): boolean {
  if (isCopied) {
    announce(done);
  } else {
    notifications.show({
      title: t`Not copied`,
      message: t`The browser does not let this page write to the clipboard. Select the text and copy it with the keyboard.`,
      'data-tone': 'bad',
    });
  }
  return isCopied;
}

/**
 * Copies `text` and announces `done` to screen readers, or shows why it failed. Returns whether it is in the clipboard.
 */
export async function copyText(text: string, done: string = t`Copied`): Promise<boolean> {
  return report(await copy(text), done);
}

/** A text, and what is announced when it is in the clipboard. */
export interface TextToCopy {
  text: string;
  done: string;
}

function blobOf(read: TextToCopy | null): Blob {
  if (read === null) throw new Error('There is no text to copy.');
  return new Blob([read.text], { type: 'text/plain' });
}

/**
 * As `copyText`, for a text that is still being read. Call it on a click, before anything is awaited. Rejects as `reading`
 * does; null copies nothing.
 */
export async function copyWhenRead(reading: Promise<TextToCopy | null>): Promise<boolean> {
  const written = writeLater('text/plain', reading.then(blobOf));
  const read = await reading;
  if (read === null) return false;
  return (await written) ? report(true, read.done) : copyText(read.text, read.done);
}
