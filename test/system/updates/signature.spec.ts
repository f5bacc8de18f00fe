/**
 * The signature of an update on Windows, with the updater of Windows and a server on loopback. The check of the
 * signature itself belongs to Windows: here the test decides it. On macOS the system's own installer checks it, and on
 * Linux nothing does.
 */
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import electronUpdater from 'electron-updater';
import type { NsisUpdater } from 'electron-updater';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../main/app/platform/clock.ts';
import { installationOf } from '../../../main/hosts/electron/updates/installation.ts';
import { createUpdateSource } from '../../../main/hosts/electron/updates/source.ts';
import { createUpdates, type Updates } from '../../../main/hosts/electron/updates/updates.ts';
import { startUpdateServer, type UpdateServer } from '../../desktop/support/updateServer.ts';
import { until } from '../../support/core/until.ts';
import { newDataDir } from '../headless/headlessHost.ts';

const PUBLISHER = 'CN=Hangar contributors, O=Hangar, C=DE';
const logger = pino({ level: 'silent' });

/** The network of the updater, which is Chromium's in Electron. */
const network = {
  async request({ hostname, port, path }: { hostname: string; port: string; path: string }): Promise<string> {
    const answer = await fetch(`http://${hostname}:${port}${path}`);
    if (!answer.ok) throw Object.assign(new Error(`status ${answer.status}`), { statusCode: answer.status });
    return answer.text();
  },
  download: (url: URL): Promise<string> => Promise.reject(new Error(`${url.href} has no checksum.`)),
};

interface Ground {
  readonly updates: Updates;
  readonly server: UpdateServer;
  /** Files in the folder of downloads. */
  pending(): string[];
  /** The publishers of the configuration and the file that were checked. */
  readonly checks: { publishers: string[]; isThere: boolean }[];
}

/** `signer`: who signed the update; null if nobody did. `work`: what runs meanwhile. */
async function withUpdater(
  signer: string | null,
  work: string[],
  use: (ground: Ground) => Promise<void>,
): Promise<void> {
  await using folder = await newDataDir();
  await using server = await startUpdateServer();
  const config = join(folder.path, 'app-update.yml');
  await writeFile(
    config,
    JSON.stringify({
      provider: 'generic',
      url: server.address,
      updaterCacheDirName: 'hangar',
      publisherName: [PUBLISHER],
    }),
  );
  const updater: NsisUpdater = new electronUpdater.NsisUpdater(null, {
    version: '1.0.0',
    name: 'hangar',
    isPackaged: true,
    appUpdateConfigPath: config,
    userDataPath: folder.path,
    baseCachePath: folder.path,
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: () => undefined,
  });
  Object.assign(updater, { httpExecutor: network });
  const checks: Ground['checks'] = [];
  updater.verifyUpdateCodeSignature = (publishers, file) => {
    checks.push({ publishers, isThere: existsSync(file) });
    return Promise.resolve(signer !== null && publishers.includes(signer) ? null : `It is signed by ${signer}.`);
  };
  const source = createUpdateSource({
    updater,
    releaseLock: () => undefined,
    feed: null,
    cacheDir: folder.path,
    fetch: (url, init) => fetch(url, init),
    logger,
  });
  const installation = installationOf({
    platform: 'win32',
    isPackaged: true,
    feed: null,
    appImage: undefined,
    packageType: null,
    updateConfig: 'provider: generic',
    unsigned: null,
  });
  const updates = createUpdates({
    prepare: () => Promise.resolve({ installation, source }),
    current: '1.0.0',
    channel: 'stable',
    keepChannel: () => Promise.resolve(),
    openWork: () => Promise.resolve(work),
    quit: () => undefined,
    relaunch: () => undefined,
    clock: systemClock,
    logger,
  });
  const pending = (): string[] => {
    const downloads = join(folder.path, 'hangar', 'pending');
    return existsSync(downloads) ? readdirSync(downloads).filter((name) => name.endsWith('.exe')) : [];
  };
  try {
    server.publish({ version: '9.0.0', extension: 'exe' });
    await updates.start();
    await use({ updates, server, checks, pending });
  } finally {
    updates.stop();
  }
}

const settled = ({ updates }: Ground) =>
  until(
    'the end of the download',
    () => updates.status.state,
    (state) => state === 'ready' || state === 'failed',
  );

describe.each([
  ['while nothing runs', []],
  ['while a job runs', ['1 job']],
])('an update of Windows, %s', (_name, work) => {
  it('that the makers of Hangar signed is ready', async () => {
    await withUpdater(PUBLISHER, work, async (ground) => {
      expect(await settled(ground)).toBe('ready');
      expect(ground.checks).toEqual([{ publishers: [PUBLISHER], isThere: true }]);
      expect(ground.pending()).toEqual(['Hangar-9.0.0.exe']);
    });
  });

  it.each([
    ['that somebody else signed', 'CN=Somebody else, O=Elsewhere, C=DE'],
    ['that nobody signed', null],
  ])('%s is removed and never installed', async (_name, signer) => {
    await withUpdater(signer, work, async (ground) => {
      const { updates } = ground;
      expect(await settled(ground)).toBe('failed');
      expect(updates.status.reason).toBe(
        'The downloaded file is not signed by the makers of Hangar. Hangar removed it. Do not install it by hand.',
      );
      expect(ground.pending()).toEqual([]);
      await expect(updates.choose('now')).rejects.toMatchObject({ code: 'CONFLICT' });
      // The next check refuses it again, and does not take an old file for a checked one.
      await updates.check();
      expect(await settled(ground)).toBe('failed');
      expect(ground.checks).toHaveLength(2);
    });
  });
});
