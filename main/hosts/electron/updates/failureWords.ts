/** Why an update failed, for a person: the fault, and what to do. */
import { t } from '../language/text.ts';

interface Failure {
  readonly code?: unknown;
  readonly statusCode?: unknown;
  readonly message: string;
}

const asFailure = (thrown: unknown): Failure =>
  thrown instanceof Error ? thrown : { message: typeof thrown === 'string' ? thrown : t`unknown error` };

const again = (sentences: string): string =>
  `${sentences} ${t`Hangar tries again automatically. You can also try again in Settings.`}`;
const noRelease = (): string => t`The update server has no release on this channel. Choose another channel.`;
const noFile = (): string => again(t`The newest release has no file for this system.`);
const notAllowed = (): string =>
  t`Hangar has no permission to write to its installation folder. Install the new version the way you installed this one.`;

const byCode: Readonly<Record<string, () => string>> = {
  ERR_UPDATER_CHANNEL_FILE_NOT_FOUND: noRelease,
  ERR_UPDATER_LATEST_VERSION_NOT_FOUND: noRelease,
  ERR_UPDATER_NO_PUBLISHED_VERSIONS: () => t`The update server has no release yet.`,
  ERR_CHECKSUM_MISMATCH: () => again(t`The downloaded file is damaged: its checksum is wrong. Hangar removed it.`),
  ERR_UPDATER_INVALID_SIGNATURE: () =>
    t`The downloaded file is not signed by the makers of Hangar. Hangar removed it. Do not install it by hand.`,
  ERR_UPDATER_INVALID_UPDATE_INFO: () =>
    again(t`The list of releases on the update server cannot be read. Nothing was downloaded.`),
  ERR_UPDATER_INVALID_VERSION: () =>
    again(t`The list of releases on the update server names no version. Nothing was downloaded.`),
  ERR_UPDATER_NO_FILES_PROVIDED: noFile,
  ERR_UPDATER_ASSET_NOT_FOUND: noFile,
  ERR_UPDATER_ZIP_FILE_NOT_FOUND: noFile,
  ENOSPC: () => t`The disk is full: the update could not be stored. Free some space, then check again.`,
  EDQUOT: () => t`Your disk quota is used up: the update could not be stored. Free some space, then check again.`,
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: notAllowed,
};

const NETWORK =
  /net::ERR_|^E(?:CONN|HOST|NET|NOTFOUND|AI_AGAIN|PIPE|TIMEDOUT)|aborted|timed out|socket hang up|getaddrinfo/;

/** The reason for an error of electron-updater, of the network or of the file system. */
export function updateFailure(thrown: unknown): string {
  const { code, statusCode, message } = asFailure(thrown);
  const known = typeof code === 'string' ? byCode[code] : undefined;
  if (known !== undefined) return known();
  const status = typeof statusCode === 'number' ? statusCode : /\bstatus (\d{3})\b/.exec(message)?.[1];
  if (status !== undefined) return again(t`The update server answered ${status}.`);
  if (NETWORK.test(`${typeof code === 'string' ? code : ''} ${message}`) || NETWORK.test(message)) {
    return again(t`The connection to the update server failed. The next attempt continues where this one ended.`);
  }
  return again(t`The update failed: ${(message.split('\n')[0] ?? '').slice(0, 200)}.`);
}
