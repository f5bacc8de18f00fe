/** A window: its creation, its position, and its colour before the page draws. */
import { BrowserWindow, dialog, nativeTheme, screen } from 'electron';
import type { Logger } from 'pino';
import { isPage, pageAddress } from '../addresses.ts';
import { minimumSize, placeWindow, type SavedWindow } from './bounds.ts';
import { recoverPage, type RecoveryOptions } from './pageRecovery.ts';
import { menuCase, t } from '../language/text.ts';

interface WindowOptions extends RecoveryOptions {
  readonly preload: string;
  /** Its state when it was closed; null for a new window. */
  readonly saved: SavedWindow | null;
}

/** The page's own background in either theme, which avoids a flash. */
const background = (): string => (nativeTheme.shouldUseDarkColors ? '#101113' : '#ffffff');

/** Call after `ready`. The window shows when its page can draw. */
export function openWindow({ preload, saved, crashes, logger }: WindowOptions): BrowserWindow {
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const window = new BrowserWindow({
    ...placeWindow(saved?.bounds ?? null, areas),
    minWidth: minimumSize.width,
    minHeight: minimumSize.height,
    show: false,
    title: 'Hangar',
    backgroundColor: background(),
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  });
  if (saved?.maximized) window.maximize();
  if (saved?.fullScreen) window.setFullScreen(true);

  const recolour = (): void => window.setBackgroundColor(background());
  nativeTheme.on('updated', recolour);
  window.on('closed', () => nativeTheme.removeListener('updated', recolour));
  window.once('ready-to-show', () => window.show());
  recoverPage(window, { crashes, logger });
  load(window, saved?.address ?? '', logger);
  return window;
}

function load(window: BrowserWindow, address: string, logger: Logger): void {
  window.loadURL(pageAddress + address).catch((error: unknown) => {
    // The window was closed during the load.
    if (window.isDestroyed()) return;
    logger.error({ err: error }, 'the page could not be loaded');
    window.show();
    dialog.showErrorBox(
      t`Hangar cannot show its page`,
      t`Its files are missing or damaged. Install or build it again.`,
    );
  });
}

/** Asks about a window that would close or reload with a text that is not saved. Returns whether the person agrees. */
export function discardsText(window: BrowserWindow): boolean {
  const response = dialog.showMessageBoxSync(window, {
    type: 'question',
    message: t`A text in this window is not saved.`,
    detail: t`If the window closes or reloads, your changes are lost.`,
    buttons: [menuCase(t`Discard the changes`), t`Cancel`],
    defaultId: 1,
    cancelId: 1,
  });
  return response === 0;
}

/** The current state, for the next start. */
export function stateOf(window: BrowserWindow): SavedWindow {
  const url = window.webContents.getURL();
  const hash = isPage(url) ? new URL(url).hash : '';
  return {
    bounds: window.getNormalBounds(),
    maximized: window.isMaximized(),
    fullScreen: window.isFullScreen(),
    address: hash.startsWith('#/') && hash.length <= 2000 ? hash : '',
  };
}

/** Brings the window to the front, also if it was hidden or minimized. */
export function bringForward(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
