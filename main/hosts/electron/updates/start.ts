/** The updates of the running program, and the check in the menu. */
import { join } from 'node:path';
import { app, dialog, net } from 'electron';
import type { Logger } from 'pino';
import type { UpdateChannel, UpdateStatus } from '#contract/bridge/updates.ts';
import { systemClock } from '../../../app/platform/clock.ts';
import type { Folders } from '../../../app/platform/folders/desktopFolders.ts';
import { readChannel, writeChannel } from './channelFile.ts';
import { findInstallation } from './installation.ts';
import { createUpdateSource } from './source.ts';
import { createUpdates, type Prepared, type Updates } from './updates.ts';
import { t } from '../language/text.ts';

interface ProgramOptions {
  readonly folders: Pick<Folders, 'config' | 'cache'>;
  /** The work that the end of the program would interrupt, as phrases. */
  readonly openWork: () => Promise<string[]>;
  readonly logger: Logger;
}

/** A run from source reads only the feed in HANGAR_UPDATE_FEED; a package ignores that variable. */
export function createProgramUpdates({ folders, openWork, logger }: ProgramOptions): Updates {
  const feed = app.isPackaged ? null : (process.env['HANGAR_UPDATE_FEED'] ?? null);
  const file = join(folders.config, 'updates.json');
  async function prepare(): Promise<Prepared> {
    const installation = await findInstallation(app.isPackaged, feed);
    if (!installation.canCheck) return { installation, source: null };
    // After `ready`: the updater reads the running version from Electron.
    const { default: electronUpdater } = await import('electron-updater');
    const source = createUpdateSource({
      updater: electronUpdater.autoUpdater,
      releaseLock: () => app.releaseSingleInstanceLock(),
      feed,
      cacheDir: folders.cache,
      fetch: (url, init) => net.fetch(url, init),
      logger,
    });
    return { installation, source };
  }
  return createUpdates({
    prepare,
    current: app.getVersion(),
    channel: readChannel(file, logger),
    keepChannel: (channel: UpdateChannel) => writeChannel(file, channel),
    openWork,
    quit: () => app.quit(),
    relaunch: () => app.relaunch(),
    clock: systemClock,
    logger,
  });
}

/** The text about a successful check without an installable version. */
function resultWords({ current, newest, channel, withheld, manual }: UpdateStatus): {
  message: string;
  detail: string;
} {
  if (newest === null) return { message: t`Hangar does not check for updates.`, detail: manual ?? '' };
  const message = t`Hangar ${current} is up to date.`;
  if (withheld === null) return { message, detail: t`It is the newest version of the ${channel} channel.` };
  return {
    message,
    detail:
      withheld === 'older'
        ? t`The newest version of the ${channel} channel is ${newest}, which is older. Hangar does not install it, because an older version may not be able to read your data.`
        : t`Version ${newest} is being rolled out gradually and is not available for this computer yet.`,
  };
}

/** A check from the menu. The page shows a found version; a dialog reports a failure, or that there is none. */
export async function checkByHand(updates: Updates): Promise<void> {
  const status = await updates.check();
  if (status.state === 'failed') dialog.showErrorBox(t`The check for updates failed`, status.reason ?? '');
  if (status.state !== 'idle') return;
  await dialog.showMessageBox({ type: 'info', ...resultWords(status), buttons: [t`OK`] });
}
