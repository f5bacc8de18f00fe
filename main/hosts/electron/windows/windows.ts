/** The windows of the app: their list, the last used one, and messages to their pages. */
import { app } from 'electron';
import type { BrowserWindow, WebContents } from 'electron';
import type { HostMessage } from '#contract/app/hostMessage.ts';
import { isPage } from '../addresses.ts';
import { besideWindow, readWindows, writeWindows, type SavedWindow } from './bounds.ts';
import type { RecoveryOptions } from './pageRecovery.ts';
import { bringForward, discardsText, openWindow, stateOf } from './window.ts';

/** The channel of messages to the page; the preload script uses the same name. */
const channel = 'hangar:message';

interface WindowsOptions extends RecoveryOptions {
  readonly preload: string;
  /** The file with their state. */
  readonly stateFile: string;
}

export interface Windows {
  /** Opens the windows of the last run, or a first one. */
  restore(): void;
  /** Opens one more window, on the same page as the last used one. */
  openAnother(): BrowserWindow;
  /** Brings the last used window to the front; opens one if there is none. */
  present(): BrowserWindow;
  /** Presents a window and sends its page the message, as soon as it is loaded. */
  send(message: HostMessage): void;
  /** Whether this is the page of a window of Hangar. */
  owns(contents: WebContents): boolean;
  /** From now on windows close without a question about texts that are not saved, as before a shutdown. */
  readonly askNoMore: () => void;
}

export function createWindows({ preload, stateFile, crashes, logger }: WindowsOptions): Windows {
  /** In order of use: the last used window is last. */
  const windows = new Set<BrowserWindow>();
  const loaded = new WeakSet<WebContents>();

  let isQuitting = false;
  let asks = true;

  function save(open: readonly BrowserWindow[]): void {
    try {
      writeWindows(stateFile, open.map(stateOf));
    } catch (error) {
      logger.warn({ err: error }, 'the state of the windows could not be kept');
    }
  }
  // At the end all windows close, one after the other: the next start opens all of them again.
  app.on('before-quit', () => {
    if (!isQuitting && windows.size > 0) save([...windows]);
    isQuitting = true;
  });

  function open(saved: SavedWindow | null): BrowserWindow {
    const window = openWindow({ preload, saved, crashes, logger });
    const { webContents } = window;
    windows.add(window);
    window.on('focus', () => {
      // A window that closes before it shows is no longer in the set.
      if (windows.delete(window)) windows.add(window);
    });
    window.on('close', () => {
      if (isQuitting) return;
      const others = [...windows].filter((other) => other !== window);
      // The last window reopens where it was; a window that a person closes among others stays closed.
      save(others.length > 0 ? others : [window]);
    });
    window.on('closed', () => windows.delete(window));
    webContents.on('will-prevent-unload', (event) => {
      if (!asks || discardsText(window)) event.preventDefault();
      // A quit ends here, and the windows that are left go on.
      else isQuitting = false;
    });
    webContents.on('did-finish-load', () => loaded.add(webContents));
    webContents.on('render-process-gone', () => loaded.delete(webContents));
    return window;
  }

  function present(): BrowserWindow {
    const last = [...windows].at(-1);
    if (!last) return open(readWindows(stateFile, logger).at(-1) ?? null);
    bringForward(last);
    return last;
  }

  return {
    restore() {
      const saved = readWindows(stateFile, logger);
      if (saved.length === 0) open(null);
      for (const state of saved) open(state);
    },
    openAnother() {
      const last = [...windows].at(-1);
      if (!last) return present();
      return open({
        ...stateOf(last),
        bounds: besideWindow(last.getNormalBounds()),
        maximized: false,
        fullScreen: false,
      });
    },
    present,
    send(message) {
      const { webContents } = present();
      const deliver = (): void => {
        if (isPage(webContents.getURL())) webContents.send(channel, message);
      };
      if (loaded.has(webContents)) deliver();
      else webContents.once('did-finish-load', deliver);
    },
    askNoMore: () => void (asks = false),
    owns: (contents) => [...windows].some((window) => !window.isDestroyed() && window.webContents === contents),
  };
}
