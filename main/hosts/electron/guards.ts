/**
 * Stops every page from leaving its address, opening windows, embedding pages and using devices. Exceptions: links open
 * outside, and text can be copied.
 */
import { app, session, shell } from 'electron';
import type { WebContents } from 'electron';
import type { Logger } from 'pino';
import { isOurs, isPage, mayOpenOutside } from './addresses.ts';

/** Copy buttons of the page write text to the clipboard; every other permission is refused. */
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
    // Only links of Hangar's own page open, in the person's browser.
    if (mayOpenOutside(url) && isOurs(contents.getURL())) {
      shell.openExternal(url).catch((error: unknown) => logger.warn({ err: error }, 'a link could not be opened'));
    } else {
      logger.warn({ to: url }, 'a new window was refused');
    }
    return { action: 'deny' };
  });
}

/** Call before `ready`, so that no page exists without its guards. */
export function guardEveryPage(logger: Logger): void {
  app.on('web-contents-created', (_event, contents) => guard(contents, logger));
}

/** Call after `ready`. Electron grants every permission by default. */
export function refusePermissions(): void {
  const { defaultSession } = session;
  defaultSession.setPermissionCheckHandler((_contents, permission, origin) => granted(permission, origin));
  defaultSession.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(granted(permission, requestingUrl)),
  );
  defaultSession.setDevicePermissionHandler(() => false);
}
