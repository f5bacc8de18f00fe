/** What no page may do: leave, open windows, embed others, or ask for devices. One exception for links, one for copying. */
import { app, session, shell } from 'electron';
import type { WebContents } from 'electron';
import type { Logger } from 'pino';
import { isOurs, isPage, mayOpenOutside } from './addresses.ts';

/** Writing text to the clipboard is what the page's copy buttons do; everything else is refused. */
const granted = (permission: string, origin: string): boolean =>
  permission === 'clipboard-sanitized-write' && isOurs(origin);

function guard(contents: WebContents, logger: Logger): void {
  contents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame && isPage(event.url) && isPage(contents.getURL())) return;
    event.preventDefault();
    logger.warn({ to: event.url }, 'a navigation was refused');
  });
  contents.on('will-redirect', (event) => {
    event.preventDefault();
    logger.warn({ to: event.url }, 'a redirect was refused');
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    // Links open in the person's own browser, and only those of our own page.
    if (mayOpenOutside(url) && isOurs(contents.getURL())) {
      shell.openExternal(url).catch((error: unknown) => logger.warn({ err: error }, 'a link could not be opened'));
    } else {
      logger.warn({ to: url }, 'a new window was refused');
    }
    return { action: 'deny' };
  });
}

/** Before `ready`, so that no page is ever without its guards. */
export function guardEveryPage(logger: Logger): void {
  app.on('web-contents-created', (_event, contents) => guard(contents, logger));
}

/** After `ready`. Electron grants what nobody refuses. */
export function refusePermissions(): void {
  const { defaultSession } = session;
  defaultSession.setPermissionCheckHandler((_contents, permission, origin) => granted(permission, origin));
  defaultSession.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(granted(permission, requestingUrl)),
  );
  defaultSession.setDevicePermissionHandler(() => false);
}
