/** What a desktop offers an app: dialogs, the browser, the clipboard, the theme and the displays. */
import { Emitter, represented } from './chromium/represented.ts';
import { record } from './record.ts';
import { afterReady } from './chromium/runtime.ts';

const say = (options: { title?: string; message?: string; detail?: string }): string =>
  [options.title, options.message, options.detail].filter(Boolean).join(': ');

/** A dialog is recorded and dismissed. A test that wants another answer replaces the function, as with Electron. */
export const dialog = represented<Electron.Dialog>('dialog', {
  async showMessageBox(...args: unknown[]) {
    const options = args.at(-1) as Electron.MessageBoxOptions;
    record('dialog', say(options));
    return { response: options.cancelId ?? 0, checkboxChecked: false };
  },
  showMessageBoxSync(...args: unknown[]) {
    const options = args.at(-1) as Electron.MessageBoxSyncOptions;
    record('dialog', say(options));
    return options.cancelId ?? 0;
  },
  async showOpenDialog(...args: unknown[]) {
    const { properties = [] } = args.at(-1) as Electron.OpenDialogOptions;
    record('dialog', `open: ${properties.join(' ')}`);
    return { canceled: true, filePaths: [] };
  },
  showErrorBox(title: string, content: string) {
    record('dialog', say({ title, message: content }));
  },
});

export const shell = represented<Electron.Shell>('shell', {
  async openExternal(url) {
    record('open-external', url);
  },
  showItemInFolder(path) {
    record('show-file', path);
  },
  async openPath(path) {
    record('open-path', path);
    return '';
  },
});

/** Squirrel, which only macOS and Windows have: another updater emits its events by it. */
export const autoUpdater = new Emitter(['before-quit-for-update']);

/** No system here reports anything of its power: a test emits the events itself. */
class PowerMonitor extends Emitter {
  constructor() {
    super(['suspend', 'resume', 'on-ac', 'on-battery', 'shutdown']);
  }

  isOnBatteryPower(): boolean {
    return false;
  }
}
export const powerMonitor = new PowerMonitor();

const blockers = new Map<number, string>();
let lastBlocker = 0;
/** As in Electron, each start has an id of its own. */
export const powerSaveBlocker = represented<Electron.PowerSaveBlocker>('powerSaveBlocker', {
  start(type) {
    lastBlocker += 1;
    blockers.set(lastBlocker, type);
    return lastBlocker;
  },
  stop: (id) => blockers.delete(id),
  isStarted: (id) => blockers.has(id),
});

let copied = '';
export const clipboard = represented<Electron.Clipboard>('clipboard', {
  async writeText(text) {
    copied = text;
  },
  async readText() {
    return copied;
  },
});

class NativeTheme extends Emitter {
  #source: 'system' | 'light' | 'dark' = 'system';

  constructor() {
    super(['updated']);
  }

  get themeSource(): 'system' | 'light' | 'dark' {
    return this.#source;
  }

  set themeSource(source: 'system' | 'light' | 'dark') {
    this.#source = source;
    this.emit('updated');
  }

  get shouldUseDarkColors(): boolean {
    return this.#source === 'dark';
  }
}
export const nativeTheme = new NativeTheme();

const display = {
  id: 1,
  scaleFactor: 1,
  bounds: { x: 0, y: 0, width: 1920, height: 1080 },
  workArea: { x: 0, y: 0, width: 1920, height: 1080 },
  workAreaSize: { width: 1920, height: 1080 },
  size: { width: 1920, height: 1080 },
} as Electron.Display;

export const screen = represented<Electron.Screen>('screen', {
  getAllDisplays() {
    afterReady('screen');
    return [display];
  },
  getPrimaryDisplay() {
    afterReady('screen');
    return display;
  },
});
