/** The application menu: each system's standard roles, and the one thing only the menu can do. */
import { clipboard, dialog, Menu } from 'electron';
import type { MenuItemConstructorOptions } from 'electron';
import type { Logger } from 'pino';

interface MenuOptions {
  readonly platform: NodeJS.Platform;
  /** Makes a key and answers it; rejects while the engine is not running. */
  readonly createApiKey: (name: string) => Promise<string>;
  readonly logger: Logger;
}

/** The key goes to the clipboard and nowhere else: it must never be on screen or in the page. */
async function copyNewKey({ createApiKey, logger }: MenuOptions): Promise<void> {
  try {
    const made = new Date().toISOString().slice(0, 16).replace('T', ' ');
    await clipboard.writeText(await createApiKey(`Desktop ${made}`));
    await dialog.showMessageBox({
      type: 'info',
      message: 'A new API key is on the clipboard.',
      detail: 'It is not shown again. Paste it where your script reads it.',
      buttons: ['OK'],
    });
  } catch (error) {
    logger.warn({ err: error }, 'an API key could not be made');
    const reason = error instanceof Error ? error.message : String(error);
    dialog.showErrorBox('No API key was made', reason);
  }
}

/** After `ready`. */
export function showMenu(options: MenuOptions): void {
  const isMac = options.platform === 'darwin';
  const newKey: MenuItemConstructorOptions = {
    id: 'new-api-key',
    label: 'New API Key (copied to the clipboard)…',
    click: () => void copyNewKey(options),
  };
  const file: MenuItemConstructorOptions = {
    label: 'File',
    submenu: [newKey, { type: 'separator' }, isMac ? { role: 'close' } : { role: 'quit' }],
  };
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(isMac ? [{ role: 'appMenu' } as const] : []),
      file,
      { role: 'editMenu' },
      { role: 'viewMenu' },
      { role: 'windowMenu' },
    ]),
  );
}
