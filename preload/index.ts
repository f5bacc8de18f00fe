/**
 * Tells the page that it runs in the desktop app, gives it a MessagePort to the app on request, forwards messages, and
 * tells the app the paths of files that a person gave to the page.
 */
import { contextBridge, ipcRenderer, webUtils } from 'electron';

/** The page's request for a port. */
const ready = 'hangar:ready';
/** The answer with the port; also the name of its channel to the main process. */
const channel = 'hangar:port';
/** The page's message that it listens to messages now. */
const listening = 'hangar:listening';
/** The channel on which the path of a file is sent; the answer is the id of its grant. */
const files = 'hangar:file';
/** The channel of messages from the main process, and the type of the messages to the page. */
const messages = 'hangar:message';

/** The page never gives a path as text, and never gets one: it could read any file otherwise. */
async function grantFile(file: File): Promise<string | null> {
  // Throws for anything but a File.
  const path = webUtils.getPathForFile(file);
  // A File that a script made, such as a pasted picture, has no path.
  if (path === '') return null;
  const grantId: unknown = await ipcRenderer.invoke(files, path);
  return String(grantId);
}

contextBridge.exposeInMainWorld('hangarHost', { kind: 'electron', grantFile } satisfies HangarHost);

/** Messages that came before the page listened; null after that. */
let early: unknown[] | null = [];
const pass = (message: unknown): void => window.postMessage({ type: messages, message }, window.location.origin);

window.addEventListener('message', ({ data, source, origin }) => {
  // Only the page itself: frames inside it, and the window that opened it, are other sources.
  if (source !== window || origin !== window.location.origin) return;
  if (data === ready) ipcRenderer.send(channel);
  if (data === listening) {
    early?.forEach(pass);
    early = null;
  }
});

ipcRenderer.on(channel, ({ ports }) => {
  window.postMessage(channel, window.location.origin, [...ports]);
});
ipcRenderer.on(messages, (_event, message: unknown) => {
  if (early) early.push(message);
  else pass(message);
});
