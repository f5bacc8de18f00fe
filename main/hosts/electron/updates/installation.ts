/** How this Hangar was installed, which decides whether it can update itself. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isMissingFile } from '#contract/core/systemCode.ts';
import { t } from '../language/text.ts';

export interface Installation {
  /** Whether there is an update feed. */
  readonly canCheck: boolean;
  /** Why it does not install updates automatically, for a person; null if it does. */
  readonly manual: string | null;
  /** The command for a manual installation of these package files; null if there is none. */
  readonly command: (files: readonly string[]) => string | null;
}

export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly isPackaged: boolean;
  /** The address of another feed than the built-in one. */
  readonly feed: string | null;
  /** The path of the AppImage, if it runs from one. */
  readonly appImage: string | undefined;
  /** `package-type` of the resources, which the packager writes into Linux packages; null if there is none. */
  readonly packageType: string | null;
  /** `app-update.yml` of the resources, with the address of the feed; null if there is none. */
  readonly updateConfig: string | null;
  /** Why the system would refuse to replace this program, such as a missing signature; null if it would not. */
  readonly unsigned: string | null;
}

const noCommand = (): null => null;
const self: Installation = { canCheck: true, manual: null, command: noCommand };
const none = (manual: string): Installation => ({ canCheck: false, manual, command: noCommand });

/**
 * The package manager and its command for each type of Linux package. `--allow-downgrades` and similar options are
 * omitted on purpose.
 */
const managers: Readonly<Record<string, { name: string; command: string }>> = {
  deb: { name: 'apt', command: 'sudo apt-get install ./' },
  rpm: { name: 'dnf', command: 'sudo dnf install ./' },
  pacman: { name: 'pacman', command: 'sudo pacman -U ./' },
};

/** A pure function of the facts. */
export function installationOf(facts: Surroundings): Installation {
  const { platform, isPackaged, feed, appImage, packageType, updateConfig, unsigned } = facts;
  if (!isPackaged && feed === null) {
    return none(t`This Hangar runs from its source folder. Update it the way you got it, for example with "git pull".`);
  }
  if (feed === null && (updateConfig === null || updateConfig.includes('updates.invalid'))) {
    return none(t`This Hangar was built without an address for updates.`);
  }
  const manager = packageType === null ? undefined : managers[packageType];
  if (platform === 'linux' && manager !== undefined) {
    return {
      canCheck: true,
      manual: t`${manager.name} installed this Hangar. Use it to update Hangar, too.`,
      command(files) {
        const file = files.find((name) => name.endsWith(`.${packageType}`));
        return file === undefined ? null : manager.command + (file.split('/').at(-1) ?? file);
      },
    };
  }
  if (platform === 'linux' && appImage === undefined) {
    return none(t`This Hangar is neither an AppImage nor a package. Update it the way you installed it.`);
  }
  if (unsigned !== null) return { canCheck: true, manual: unsigned, command: noCommand };
  return self;
}

/** Why macOS would not replace a program with this output of `codesign`; null if it would. */
export function signatureProblem(report: { failed: boolean; text: string }): string | null {
  const reason = t`macOS can only update signed programs. Download the new version and replace this one with it.`;
  if (report.failed) return t`This Hangar is not signed: ${reason}`;
  if (/Signature=adhoc|TeamIdentifier=not set/.test(report.text)) {
    return t`This Hangar has no signature of a known developer: ${reason}`;
  }
  return null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (!isMissingFile(error)) throw error;
    // Other installations have no such file.
    return null;
  }
}

/** Checks the signature of the running program on macOS. */
function unsignedOf(platform: NodeJS.Platform, isPackaged: boolean): Promise<string | null> {
  if (platform !== 'darwin' || !isPackaged) return Promise.resolve(null);
  const bundle = resolve(process.execPath, '../../..');
  return new Promise((settle) =>
    execFile('/usr/bin/codesign', ['--display', '--verbose=2', bundle], (error, _stdout, stderr) =>
      settle(signatureProblem({ failed: error !== null, text: stderr })),
    ),
  );
}

/** The installation of the running program. `feed`: the address of another feed than the built-in one. */
export async function findInstallation(isPackaged: boolean, feed: string | null): Promise<Installation> {
  const { platform, resourcesPath, env } = process;
  return installationOf({
    platform,
    isPackaged,
    feed,
    appImage: env['APPIMAGE'],
    packageType: readText(join(resourcesPath, 'package-type')),
    updateConfig: readText(join(resourcesPath, 'app-update.yml')),
    unsigned: await unsignedOf(platform, isPackaged),
  });
}
