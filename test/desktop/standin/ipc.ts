/** ipcMain: what a preload sends arrives here under its channel; what it asks for, a handler answers. */
import { EventEmitter } from 'node:events';

type Handler = (event: object, ...args: unknown[]) => unknown;

/** Channel names are the app's own, so any may be listened to; `handleOnce` is not represented. */
class IpcMain extends EventEmitter {
  /** Not in the public types of Electron, but there, and the only way to ask which channels have a handler. */
  readonly _invokeHandlers = new Map<string, Handler>();

  handle(channel: string, handler: Handler): void {
    if (this._invokeHandlers.has(channel)) {
      throw new Error(`Attempted to register a second handler for '${channel}'`);
    }
    this._invokeHandlers.set(channel, handler);
  }

  handleOnce(channel: string): never {
    throw new Error(`ipcMain.handleOnce('${channel}') is not represented by the stand-in for Electron`);
  }

  removeHandler(channel: string): void {
    this._invokeHandlers.delete(channel);
  }

  /** For the stand-in: answers a call of a preload. */
  async invoked(channel: string, event: object, args: readonly unknown[]): Promise<unknown> {
    const handler = this._invokeHandlers.get(channel);
    if (handler === undefined) throw new Error(`No handler registered for '${channel}'`);
    return handler(event, ...args);
  }
}

export const ipcMain = new IpcMain();
