/** The one way between page and app: a MessagePort for our own window's top frame, oRPC on our end of it. */
import { RPCHandler } from '@orpc/server/message-port';
import { ipcMain, MessageChannelMain } from 'electron';
import type { IpcMainEvent, MessagePortMain, WebContents } from 'electron';
import type { Logger } from 'pino';
import type { App } from '../../app/compose.ts';
import { isPage } from './addresses.ts';

/** The only channel there is, in both directions; the preload uses the same name. */
const channel = 'hangar:port';

export interface Transport {
  /** From now on the page talks to this app. A page that asked before gets its port now. */
  serve(router: App['router']): void;
  /** Closes the page's port; the page waits for the next app. */
  withdraw(): void;
  stop(): void;
}

interface TransportOptions {
  /** The page of our window; null while there is none. */
  readonly page: () => WebContents | null;
  readonly logger: Logger;
}

export function createTransport({ page, logger }: TransportOptions): Transport {
  let handler: RPCHandler<Record<never, never>> | null = null;
  let open: MessagePortMain | null = null;
  let waiting: IpcMainEvent | null = null;

  /** Asked again when a port is handed over late: by then the frame may show something else. */
  const isOurPage = ({ sender, senderFrame }: IpcMainEvent): boolean =>
    sender === page() &&
    senderFrame !== null &&
    !senderFrame.isDestroyed() &&
    senderFrame === sender.mainFrame &&
    isPage(senderFrame.url);

  function closePort(): void {
    open?.close();
    open = null;
  }

  function handOver(event: IpcMainEvent): void {
    if (!handler || !isOurPage(event)) return;
    closePort();
    const { port1, port2 } = new MessageChannelMain();
    handler.upgrade(port1);
    // oRPC listens but never starts a port.
    port1.start();
    open = port1;
    event.senderFrame?.postMessage(channel, null, [port2]);
  }

  const onRequest = (event: IpcMainEvent): void => {
    if (!isOurPage(event)) {
      logger.warn({ from: event.senderFrame?.url }, 'a port was refused');
      return;
    }
    waiting = handler ? null : event;
    handOver(event);
  };
  ipcMain.on(channel, onRequest);

  return {
    serve(router) {
      handler = new RPCHandler(router);
      if (waiting) handOver(waiting);
      waiting = null;
    },
    withdraw() {
      handler = null;
      closePort();
    },
    stop() {
      ipcMain.removeListener(channel, onRequest);
      closePort();
    },
  };
}
