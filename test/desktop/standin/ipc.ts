/** ipcMain: what a preload sends arrives here under its channel. */
import { EventEmitter } from 'node:events';

/** Channel names are the app's own, so any may be listened to; `handle` and replies are not represented. */
class IpcMain extends EventEmitter {
  handle(channel: string): never {
    throw new Error(`ipcMain.handle('${channel}') is not represented by the stand-in for Electron`);
  }
}

export const ipcMain = new IpcMain();
