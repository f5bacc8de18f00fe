/** What a desktop offers an app: dialogs, the browser, the clipboard, the theme and the displays. */
import { Emitter, represented } from './chromium/represented.ts';
import { record } from './record.ts';
import { afterReady } from './chromium/runtime.ts';

const say = (options: { title?: string; message?: string; detail?: string }): string =>
  [options.title, options.message, options.detail].filter(Boolean).join(': ');

/** A dialog is recorded and dismissed. A test that wants another answer replaces the function, as with Electron. */
export const dialog = represented<Electron.Dialog>('dialog', {
  async showMessageBox(...given: unknown[]) {
    const options = given.at(-1) as Electron.MessageBoxOptions;
    record('dialog', say(options));
    return { response: options.cancelId ?? 0, checkboxChecked: false };
  },
  showErrorBox(title: string, content: string) {
    record('dialog', say({ title, message: content }));
  },
});

export const shell = represented<Electron.Shell>('shell', {
  async openExternal(url) {
    record('open-external', url);
  },
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
