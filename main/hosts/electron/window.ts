/** The window: how it is made, where it stands, what colour it has before the page draws, and what happens when its page dies. */
import { BrowserWindow, dialog, nativeTheme, screen } from 'electron';
import type { Logger } from 'pino';
import { pageAddress } from './addresses.ts';
import { minimumSize, placeWindow, readBounds, writeBounds } from './bounds.ts';

interface WindowOptions {
  readonly preload: string;
  /** Where the bounds are remembered. */
  readonly boundsFile: string;
  readonly logger: Logger;
}

/** The page's own background in either theme, so that nothing flashes. */
const background = (): string => (nativeTheme.shouldUseDarkColors ? '#101113' : '#ffffff');

/** Call after `ready`. The window shows itself once its page can be seen. */
export function openWindow({ preload, boundsFile, logger }: WindowOptions): BrowserWindow {
  const saved = readBounds(boundsFile);
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

  const recolour = (): void => window.setBackgroundColor(background());
  nativeTheme.on('updated', recolour);
  window.on('closed', () => nativeTheme.removeListener('updated', recolour));
  window.once('ready-to-show', () => window.show());
  window.on('close', () => {
    try {
      writeBounds(boundsFile, { bounds: window.getNormalBounds(), maximized: window.isMaximized() });
    } catch (error) {
      logger.warn({ err: error }, 'the bounds of the window could not be kept');
    }
  });
  reviveOnce(window, logger);
  load(window, logger);
  return window;
}

function load(window: BrowserWindow, logger: Logger): void {
  window.loadURL(pageAddress).catch((error: unknown) => {
    // Closed while it loaded: there is nobody to tell.
    if (window.isDestroyed()) return;
    logger.error({ err: error }, 'the page could not be loaded');
    window.show();
    dialog.showErrorBox('Hangar cannot show its page', 'Its files are missing or damaged. Install or build it again.');
  });
}

/** A page that dies is loaded again once; one that keeps dying is left to the person, who may have work to save elsewhere. */
function reviveOnce(window: BrowserWindow, logger: Logger): void {
  let revived = false;
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    logger.error({ reason, exitCode }, 'the page died');
    if (!revived) {
      revived = true;
      window.webContents.reload();
      return;
    }
    void dialog
      .showMessageBox(window, {
        type: 'error',
        message: 'The window stopped working.',
        detail: 'Your jobs go on. Reload the window, or close it.',
        buttons: ['Reload', 'Close'],
        defaultId: 0,
        cancelId: 1,
      })
      .then(({ response }) => {
        if (window.isDestroyed()) return;
        if (response === 0) window.webContents.reload();
        else window.destroy();
      });
  });
}

/** Brings the window to the person, however it was put away. */
export function bringForward(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
