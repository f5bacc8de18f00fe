/**
 * The two transports to the app: a WebSocket in a browser, a MessagePort from the preload script in a desktop window.
 */
import type { ClientContext, ClientLink } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import { NOT_PAIRED_CODE, NOT_PAIRED_PATH, PAGE_TOKEN_PROTOCOL, SOCKET_PROTOCOL } from '#contract/app/pageSession.ts';
import type { Opened } from './connection.ts';
import { pageToken } from './pageToken.ts';

export type AppLink = ClientLink<ClientContext>;

const PORT_WAIT_MS = 5000;

async function openSocket(): Promise<Opened<AppLink>> {
  const websocket = new WebSocket('/rpc', [SOCKET_PROTOCOL, `${PAGE_TOKEN_PROTOCOL}${pageToken()}`]);
  websocket.addEventListener('close', ({ code }) => {
    if (code === NOT_PAIRED_CODE) location.replace(NOT_PAIRED_PATH);
  });
  // The link is created first, because it must get the first message, and the end.
  const link = new SocketLink<ClientContext>({ websocket });
  const closed = new Promise<void>((resolve) => websocket.addEventListener('close', () => resolve(), { once: true }));
  await new Promise<void>((resolve, reject) => {
    websocket.addEventListener('open', () => resolve(), { once: true });
    websocket.addEventListener('close', () => reject(new Error('The app did not accept the connection.')), {
      once: true,
    });
  });
  return { link, closed };
}

function receivePort(): Promise<MessagePort> {
  return new Promise((resolve, reject) => {
    const finish = (port: MessagePort | undefined) => {
      clearTimeout(timer);
      window.removeEventListener('message', onMessage);
      if (port) resolve(port);
      else reject(new Error('The window was given no port to the app.'));
    };
    const onMessage = (event: MessageEvent<unknown>) => {
      if (event.source === window && event.data === 'hangar:port') finish(event.ports[0]);
    };
    const timer = setTimeout(() => finish(undefined), PORT_WAIT_MS);
    window.addEventListener('message', onMessage);
    window.postMessage('hangar:ready', location.origin === 'null' ? '*' : location.origin);
  });
}

async function openPort(): Promise<Opened<AppLink>> {
  const port = await receivePort();
  const link = new PortLink<ClientContext>({ port });
  const closed = new Promise<void>((resolve) => port.addEventListener('close', () => resolve(), { once: true }));
  // The link does not start its port.
  port.start();
  return { link, closed };
}

export const openTransport = (): Promise<Opened<AppLink>> =>
  window.hangarHost === undefined ? openSocket() : openPort();
