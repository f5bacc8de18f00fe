/**
 * Stops every page from leaving its address, opening windows, embedding pages and using devices. Exceptions: links open
 * outside, and text can be copied.
 */
import { app, session, shell, systemPreferences } from 'electron';
import type { WebContents } from 'electron';
import type { Logger } from 'pino';
import { isOurs, isPage, mayOpenOutside } from './addresses.ts';

interface PermissionDetails {
  /** The page is within another page where this is false. */
  isMainFrame: boolean;
  /** What of `media` is asked for: `video`, `audio` or, by a check, `unknown`. */
  media: readonly (string | undefined)[];
}

/**
 * Copy buttons of the page write text to the clipboard, and the camera reads pairing codes; every other permission is
 * refused, that for the microphone, too.
 */
function granted(permission: string, origin: string, { isMainFrame, media }: PermissionDetails): boolean {
  if (!isOurs(origin)) return false;
  if (permission === 'clipboard-sanitized-write') return true;
  return permission === 'media' && isMainFrame && media.length > 0 && media.every((kind) => kind === 'video');
}

/** Whether the system lets the program use the camera. Only macOS asks for each program. */
const systemAllows = async (permission: string): Promise<boolean> =>
  permission !== 'media' || process.platform !== 'darwin' || systemPreferences.askForMediaAccess('camera');

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
  defaultSession.setPermissionCheckHandler((_contents, permission, origin, { isMainFrame, mediaType }) =>
    granted(permission, origin, { isMainFrame, media: [mediaType] }),
  );
  defaultSession.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const { requestingUrl, isMainFrame } = details;
    const media = ('mediaTypes' in details ? details.mediaTypes : undefined) ?? [];
    if (!granted(permission, requestingUrl, { isMainFrame, media })) return answer(false);
    systemAllows(permission).then(answer, () => answer(false));
    return undefined;
  });
  defaultSession.setDevicePermissionHandler(() => false);
}
