/**
 * The only connection between a page and the app: a MessagePort for the top frame of each window of Hangar, with oRPC
 * at this end. Beside it, the preload script says the paths of files that a person gave to the page.
 */
import { RPCHandler } from '@orpc/server/message-port';
import { ipcMain, MessageChannelMain } from 'electron';
import type { IpcMainEvent, IpcMainInvokeEvent, MessagePortMain, WebContents } from 'electron';
import type { Logger } from 'pino';
import type { App } from '../../app/compose.ts';
import { isPage } from './addresses.ts';

/** The channel of the port, in both directions; the preload script uses the same name. */
const channel = 'hangar:port';
/** The channel on which the preload script sends the path of a file, and gets the id of its grant. */
const fileChannel = 'hangar:file';

export interface Transport {
  /** Connects the pages to this app, also those that have already requested a port. */
  serve(app: Pick<App, 'router' | 'grantFile'>): void;
  /** Closes the ports; the pages wait for the next app. */
  withdraw(): void;
  stop(): void;
}

interface TransportOptions {
  /** Whether this is the page of a window of Hangar. */
  readonly owns: (contents: WebContents) => boolean;
  readonly logger: Logger;
}

export function createTransport({ owns, logger }: TransportOptions): Transport {
  let grantFile: App['grantFile'] | null = null;
  let handler: RPCHandler<Record<never, never>> | null = null;
  /** One port for each page. */
  const open = new Map<WebContents, MessagePortMain>();
  const waiting = new Map<WebContents, IpcMainEvent>();

  /** Checked again when a port is sent late, because the frame may show another page by then. */
  const isOurPage = ({ sender, senderFrame }: IpcMainEvent | IpcMainInvokeEvent): boolean =>
    owns(sender) &&
    senderFrame !== null &&
    !senderFrame.isDestroyed() &&
    senderFrame === sender.mainFrame &&
    isPage(senderFrame.url);

  function closePort(page: WebContents): void {
    open.get(page)?.close();
    open.delete(page);
  }
  const closeAll = (): void => [...open.keys()].forEach(closePort);

  function handOver(event: IpcMainEvent): void {
    if (!handler || !isOurPage(event)) return;
    const page = event.sender;
    closePort(page);
    const { port1, port2 } = new MessageChannelMain();
    handler.upgrade(port1);
    // oRPC adds a listener but does not start the port.
    port1.start();
    open.set(page, port1);
    port1.once('close', () => open.get(page) === port1 && open.delete(page));
    event.senderFrame?.postMessage(channel, null, [port2]);
  }

  const onRequest = (event: IpcMainEvent): void => {
    if (!isOurPage(event)) {
      logger.warn({ from: event.senderFrame?.url }, 'a port was refused');
      return;
    }
    if (handler) handOver(event);
    else waiting.set(event.sender, event);
  };
  ipcMain.on(channel, onRequest);

  ipcMain.handle(fileChannel, (event, path: unknown): string => {
    if (!isOurPage(event) || typeof path !== 'string') {
      logger.warn({ from: event.senderFrame?.url }, 'a file was refused');
      throw new Error('Only the page of Hangar uploads files.');
    }
    if (grantFile === null) throw new Error('Hangar is not running.');
    return grantFile(path);
  });

  return {
    serve(app) {
      grantFile = app.grantFile;
      handler = new RPCHandler(app.router);
      for (const event of waiting.values()) handOver(event);
      waiting.clear();
    },
    withdraw() {
      grantFile = null;
      handler = null;
      closeAll();
    },
    stop() {
      ipcMain.removeListener(channel, onRequest);
      ipcMain.removeHandler(fileChannel);
      closeAll();
    },
  };
}
