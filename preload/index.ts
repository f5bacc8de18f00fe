/**
 * Tells the page that it runs in the desktop app, gives it a MessagePort to the app on request, and forwards messages.
 */
import { contextBridge, ipcRenderer } from 'electron';

/** The page's request for a port. */
const ready = 'hangar:ready';
/** The answer with the port; also the name of the only channel to the main process. */
const channel = 'hangar:port';
/** The page's message that it listens to messages now. */
const listening = 'hangar:listening';
/** The channel of messages from the main process, and the type of the messages to the page. */
const messages = 'hangar:message';

contextBridge.exposeInMainWorld('hangarHost', { kind: 'electron' } satisfies HangarHost);

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
