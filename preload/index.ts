/** Tells the page that it is in the desktop app, and hands it one MessagePort to the app whenever it asks. */
import { contextBridge, ipcRenderer } from 'electron';

/** What the page says to ask for a port. */
const ready = 'hangar:ready';
/** What it is told with the port; also the one channel to the main process. */
const channel = 'hangar:port';

contextBridge.exposeInMainWorld('hangarHost', { kind: 'electron' } satisfies HangarHost);

window.addEventListener('message', ({ data, source, origin }) => {
  // Only the page itself: a frame inside it, or whoever opened it, is another source.
  if (data === ready && source === window && origin === window.location.origin) ipcRenderer.send(channel);
});

ipcRenderer.on(channel, ({ ports }) => {
  window.postMessage(channel, window.location.origin, [...ports]);
});
