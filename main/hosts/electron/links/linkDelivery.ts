/** Receives links from the system, asks the person to confirm if that is required, and sends them to the page. */
import { app, dialog } from 'electron';
import type { Logger } from 'pino';
import type { HostMessage } from '#contract/app/hostMessage.ts';
import { linkForPeople, linkScheme, linksIn, readLink } from './deepLink.ts';
import { t } from '../language/text.ts';

interface LinkOptions {
  /** Shows a window and sends it the message. Called after `ready`. */
  readonly send: (message: HostMessage) => void;
  readonly logger: Logger;
}

export interface LinkDelivery {
  /** Opens the links among the arguments of a start. Returns whether there were any. */
  takeArguments(args: readonly string[]): boolean;
}

/** Call before `ready`, so that no link of macOS is missed. */
export function deliverLinks({ send, logger }: LinkOptions): LinkDelivery {
  // A run from source must not take the links of an installed Hangar.
  if (app.isPackaged && !app.isDefaultProtocolClient(linkScheme) && !app.setAsDefaultProtocolClient(linkScheme)) {
    logger.warn('the system did not register the links of Hangar');
  }

  async function open(text: string): Promise<void> {
    const link = readLink(text);
    // The link itself is not logged, because it may contain a secret.
    logger.info({ isKnown: link.isKnown }, 'a link was opened');
    if (!link.isKnown) {
      await dialog.showMessageBox({
        type: 'warning',
        message: t`Hangar cannot open this link.`,
        detail: `${link.problem}\n\n${linkForPeople(text)}`,
        buttons: [t`OK`],
      });
      return;
    }
    if (link.confirm) {
      const { question, detail, action } = link.confirm;
      const { response } = await dialog.showMessageBox({
        type: 'question',
        message: question,
        detail,
        buttons: [action, t`Cancel`],
        defaultId: 1,
        cancelId: 1,
      });
      if (response !== 0) return;
    }
    send(link.message);
  }

  /** One dialog after the other: two at once would hide each other. */
  let queue: Promise<void> = app.whenReady();
  function enqueue(text: string): void {
    queue = queue
      .then(() => open(text))
      .catch((error: unknown) => logger.warn({ err: error }, 'a link could not be opened'));
  }

  app.on('open-url', (event, url) => {
    event.preventDefault();
    enqueue(url);
  });
  return {
    takeArguments(args) {
      const links = linksIn(args);
      for (const link of links) enqueue(link);
      return links.length > 0;
    },
  };
}
