/** The module `electron` as the main process sees it, for `import` and for `require` alike. */
import { registerHooks } from 'node:module';
import { app } from './app.ts';
import { BrowserWindow } from './browserWindow.ts';
import { ipcMain } from './ipc.ts';
import { Menu, MenuItem } from './system/menu.ts';
import { Notification } from './system/notification.ts';
import { net } from './chromium/net.ts';
import { MessageChannelMain } from './ports.ts';
import { absent } from './chromium/represented.ts';
import {
  autoUpdater,
  clipboard,
  dialog,
  nativeTheme,
  powerMonitor,
  powerSaveBlocker,
  screen,
  shell,
} from './services.ts';
import { protocol, session } from './session.ts';
import { nativeImage, Tray } from './system/tray.ts';
import { utilityProcess } from './utility/utilityProcess.ts';
import { WebContents } from './webContents.ts';
import { WebFrameMain } from './webFrameMain.ts';

/** Everything the main process can import: what is not represented throws at its first use. */
const names = [
  'BaseWindow',
  'BrowserView',
  'contentTracing',
  'crashReporter',
  'desktopCapturer',
  'globalShortcut',
  'ImageView',
  'inAppPurchase',
  'netLog',
  'pushNotifications',
  'safeStorage',
  'ShareMenu',
  'systemPreferences',
  'TouchBar',
  'View',
  'WebContentsView',
];

const electron: Record<string, unknown> = {
  ...Object.fromEntries(names.map((name) => [name, absent(name)])),
  app,
  autoUpdater,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  MenuItem,
  MessageChannelMain,
  nativeImage,
  nativeTheme,
  net,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  screen,
  session,
  shell,
  Tray,
  utilityProcess,
  webContents: WebContents,
  webFrameMain: WebFrameMain,
};

const address = 'standin:electron';
const key = 'hangar.standin.electron';

/** From now on `electron` means this module, whoever asks. */
export function provideElectron(): void {
  Object.defineProperty(globalThis, Symbol.for(key), { value: electron });
  const source = `const electron = globalThis[Symbol.for(${JSON.stringify(key)})];`;
  const named = Object.keys(electron).map((name) => `export const ${name} = electron.${name};`);
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== 'electron' && specifier !== 'electron/main') return next(specifier, context);
      // A require cannot load an ES module's named exports as its own, so each way in gets its own form.
      const format = context.conditions.includes('require') ? 'commonjs' : 'module';
      return { url: `${address}?${format}`, format, shortCircuit: true };
    },
    load(url, context, next) {
      if (!url.startsWith(address)) return next(url, context);
      const commonjs = url.endsWith('commonjs');
      return {
        format: commonjs ? 'commonjs' : 'module',
        source: commonjs
          ? `${source} module.exports = electron;`
          : [source, 'export default electron;', ...named].join('\n'),
        shortCircuit: true,
      };
    },
  });
}
