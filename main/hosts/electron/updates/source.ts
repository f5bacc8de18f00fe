/** The source of newer versions: electron-updater reads the feed, and downloads, verifies and installs the file. */
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppUpdater, CancellationToken, UpdateCheckResult } from 'electron-updater';
import type { Logger } from 'pino';
import type { UpdateChannel } from '#contract/bridge/updates.ts';
import { resumeDownloads, type Fetch } from './resumedDownload.ts';

export interface AvailableVersion {
  readonly version: string;
  /**
   * `held-back`: it is newer, but a staged rollout does not include this computer yet, or it requires a newer system.
   */
  readonly offer: 'newer' | 'same' | 'older' | 'held-back';
  /** Names of its package files in the feed. */
  readonly files: readonly string[];
}

export interface DownloadProgress {
  readonly doneBytes: number;
  readonly totalBytes: number;
}

export interface UpdateSource {
  /** Reads the feed. Rejects with the errors of electron-updater or of the network. */
  check(channel: UpdateChannel): Promise<AvailableVersion>;
  /**
   * Downloads the last found version. A download that was cut continues where it ended. Rejects as `check` does, and
   * with ERR_CHECKSUM_MISMATCH for a damaged file, which is removed.
   */
  download(onProgress: (progress: DownloadProgress) => void): Promise<void>;
  /** Aborts a running download, which then rejects. */
  cancel(): void;
  /**
   * Replaces this version with the downloaded one, as the last step before Hangar ends; `relaunch` also starts it.
   * Resolves when Hangar should end. Rejects if the installation failed.
   */
  install(relaunch: boolean): Promise<void>;
}

export interface SourceOptions {
  /** The updater of this system. */
  readonly updater: AppUpdater;
  /** Releases the single-instance lock: the new version takes it while this version still ends. */
  readonly releaseLock: () => void;
  /** The address of another feed than the built-in one; null for a package. */
  readonly feed: string | null;
  /** The folder for the settings file of such a feed. */
  readonly cacheDir: string;
  /** The network for the files; it follows redirections. */
  readonly fetch: Fetch;
  readonly logger: Logger;
}

/** How long the updater waits for the system's own installer to accept a version. */
const HAND_OVER_MS = 120_000;

/** Another feed requires a settings file in the format of packages. */
function useFeed(updater: AppUpdater, url: string, cacheDir: string): void {
  const file = join(cacheDir, 'update-feed.yml');
  mkdirSync(cacheDir, { recursive: true });
  // JSON is valid YAML.
  writeFileSync(file, JSON.stringify({ provider: 'generic', url, updaterCacheDirName: 'hangar-updater' }));
  updater.forceDevUpdateConfig = true;
  updater.updateConfigPath = file;
}

export function createUpdateSource({
  updater,
  releaseLock,
  feed,
  cacheDir,
  fetch,
  logger,
}: SourceOptions): UpdateSource {
  updater.logger = {
    info: (message) => logger.info({ updater: message }, 'updater'),
    warn: (message) => logger.warn({ updater: message }, 'updater'),
    error: (message) => logger.warn({ updater: message }, 'updater'),
  };
  updater.autoDownload = false;
  // Hangar decides when to install: by default, the updater would install at any end of the program.
  updater.autoInstallOnAppQuit = false;
  if (feed !== null) useFeed(updater, feed, cacheDir);
  resumeDownloads(updater, fetch);
  let lastCheck: UpdateCheckResult | null = null;
  let cancellation: CancellationToken | null = null;

  return {
    async check(channel) {
      updater.channel = channel === 'stable' ? 'latest' : channel;
      updater.allowPrerelease = channel === 'beta';
      // A named channel would allow downgrades. An older version cannot read the databases of a newer one.
      updater.allowDowngrade = false;
      lastCheck = await updater.checkForUpdates();
      if (lastCheck === null) throw new Error('This installation is not one that the updater knows.');
      const { isUpdateAvailable, updateInfo } = lastCheck;
      // oxlint-disable-next-line typescript/consistent-type-assertions -- its type comes from a package without installed types
      const { currentVersion } = updater as unknown as { currentVersion: { compare(other: string): -1 | 0 | 1 } };
      const order = currentVersion.compare(updateInfo.version);
      return {
        version: updateInfo.version,
        offer: isUpdateAvailable ? 'newer' : order === 0 ? 'same' : order > 0 ? 'older' : 'held-back',
        files: updateInfo.files.map(({ url }) => url),
      };
    },

    async download(onProgress) {
      const { cancellationToken, updateInfo } = lastCheck ?? {};
      cancellation = cancellationToken ?? null;
      // A block map describes the unchanged parts of an AppImage, if the feed has one.
      const hasMap = updateInfo?.files.some((file) => 'blockMapSize' in file) ?? false;
      updater.disableDifferentialDownload = process.platform === 'linux' && !hasMap;
      const listener = ({ transferred, total }: { transferred: number; total: number }): void =>
        onProgress({ doneBytes: transferred, totalBytes: total });
      updater.on('download-progress', listener);
      try {
        await updater.downloadUpdate(cancellation ?? undefined);
      } finally {
        updater.removeListener('download-progress', listener);
        cancellation = null;
      }
    },

    cancel: () => cancellation?.cancel(),

    async install(relaunch) {
      const failure = once(updater, 'error').then(([error]) =>
        Promise.reject(error instanceof Error ? error : new Error(String(error))),
      );
      releaseLock();
      updater.autoRunAppAfterInstall = relaunch;
      updater.quitAndInstall(!relaunch, relaunch);
      if (process.platform !== 'darwin') {
        // A failed start of the installer is reported immediately; a started installer needs nothing more.
        await Promise.race([failure, new Promise((resolve) => setImmediate(resolve))]);
        return;
      }
      // On macOS the system first gets the version from the updater, and then ends Hangar itself.
      await Promise.race([failure, new Promise((resolve) => setTimeout(resolve, HAND_OVER_MS).unref())]);
    },
  };
}
