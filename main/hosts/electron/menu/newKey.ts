/** Creates an API key and copies it to the clipboard without showing it. */
import { clipboard, dialog } from 'electron';
import type { Logger } from 'pino';
import { t } from '../language/text.ts';

interface KeyOptions {
  /** Creates a key and returns it; rejects while the engine is not running. */
  readonly createApiKey: (name: string) => Promise<string>;
  readonly logger: Logger;
}

/** The key goes only to the clipboard: it must never be on screen or in the page. */
export async function copyNewKey({ createApiKey, logger }: KeyOptions): Promise<void> {
  try {
    const made = new Date().toISOString().slice(0, 16).replace('T', ' ');
    await clipboard.writeText(await createApiKey(`Desktop ${made}`));
    await dialog.showMessageBox({
      type: 'info',
      message: t`A new API key is on the clipboard.`,
      detail: t`It is not shown again. Paste it where your script reads it.`,
      buttons: [t`OK`],
    });
  } catch (error) {
    logger.warn({ err: error }, 'an API key could not be made');
    const reason = error instanceof Error ? error.message : String(error);
    dialog.showErrorBox(t`No API key was created`, reason);
  }
}
