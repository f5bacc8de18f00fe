/** Writes to the clipboard and says how that ended. */
import { notifications } from '@mantine/notifications';
// A page that comes over plain http from another computer has no Clipboard API: there the library copies a selection.
import copy from 'copy-to-clipboard';
import { t } from '../../language/text.ts';
import { announce } from '../primitives/announce.tsx';

/**
 * Copies `text` and announces `done` to screen readers, or shows why it failed. Returns whether it is in the clipboard.
 */
export async function copyText(text: string, done: string = t`Copied`): Promise<boolean> {
  const isCopied = await copy(text);
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
