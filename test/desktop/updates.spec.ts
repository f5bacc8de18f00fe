// Updates from a server on loopback, by electron-updater itself as an AppImage runs it. How the installers of Windows
// and macOS replace a program only those systems show. Linux checks the checksum that the feed names; the signature of
// Windows: test/system/updates/signature.spec.ts.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Locator } from '@playwright/test';
import { jobStatuses } from '#contract/api/job.ts';
import { mountSmallDisk, whyNoSmallDisk } from '../support/disk/smallDisk.ts';
import { expect, root, test as base } from './support/desktop.ts';
import type { Desktop } from './support/desktop.ts';
import { makeGatedEndpoint } from './support/gatedEndpoint.ts';
import { logged, processesOf } from './support/traces.ts';
import { programOf, startUpdateServer } from './support/updateServer.ts';
import type { UpdateServer } from './support/updateServer.ts';

const current = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;

interface Fixtures {
  /** By which a staged roll-out knows this computer; empty for one that it makes itself. */
  updaterId: string;
  server: UpdateServer;
  /** The program that Hangar runs from, as the system sees it. */
  appImage: string;
}

const test = base.extend<Fixtures>({
  updaterId: ['', { option: true }],
  server: async ({}, use) => {
    await using server = await startUpdateServer();
    await use(server);
  },
  appImage: async ({ home }, use) => {
    const file = join(home, 'Hangar.AppImage');
    writeFileSync(file, programOf(current, 1000));
    chmodSync(file, 0o755);
    await use(file);
  },
  env: async ({ env, home, server, appImage, updaterId }, use) => {
    if (updaterId !== '') {
      mkdirSync(join(home, 'hangar/config'), { recursive: true });
      writeFileSync(join(home, 'hangar/config/.updaterId'), updaterId);
    }
    await use({ ...env, APPIMAGE: appImage, HANGAR_UPDATE_FEED: server.address });
  },
});
test.skip(process.platform !== 'linux', 'an AppImage is a program of Linux');

/** A job that runs until it is let go on. */
interface RunningJob {
  finish(): void;
  status(): Promise<unknown>;
}

async function runJob(desktop: Desktop, home: string): Promise<RunningJob> {
  const { path, call, open } = await makeGatedEndpoint(desktop, home);
  const job = await call('POST', `${path}/run`, { input: {} });
  const status = async (): Promise<unknown> => (await call('GET', `${path}/status/${String(job['id'])}`))['status'];
  await expect.poll(status).toBe('IN_PROGRESS');
  return { finish: open, status };
}

/** The statuses of all jobs, as an engine that has ended left them. */
function storedStatuses(home: string): (string | undefined)[] {
  const database = new DatabaseSync(join(home, 'hangar/engine.db'));
  const rows = database.prepare('SELECT status FROM job ORDER BY seq').all();
  database.close();
  return rows.map(({ status }) => jobStatuses[Number(status)]);
}

/** The part of Settings about updates, once the check at the start has found an empty server. */
async function settings(desktop: Desktop): Promise<Locator> {
  await desktop.page.evaluate(() => (location.hash = '#/settings/general'));
  const updates = desktop.page.getByRole('region', { name: 'Updates' });
  await expect(updates).toContainText('The update server has no release on this channel.');
  return updates;
}

const check = async (updates: Locator): Promise<void> =>
  updates.getByRole('button', { name: 'Check for updates' }).click();
const choose = async (updates: Locator, label: string): Promise<void> =>
  updates.getByRole('button', { name: label }).click();

/**
 * What the programs noted that were put in the place of the first one: their version, and whether they ended at once.
 */
const starts = (appImage: string): string =>
  existsSync(`${appImage}.started`) ? readFileSync(`${appImage}.started`, 'utf8') : '';

const programIs = (appImage: string, version: string): void =>
  expect(readFileSync(appImage).subarray(0, 200).toString()).toContain(`'${version}'`);

const downloads = ({ requests }: UpdateServer): (string | undefined)[] =>
  requests.filter(({ path }) => path.endsWith('.AppImage')).map(({ range }) => range ?? 'all');

/** What is published now is checked, and the page says these words. */
type CheckSays = (words: string) => Promise<void>;

async function refuseWhatCannotBe(server: UpdateServer, pending: string, checkSays: CheckSays): Promise<void> {
  await test.step('an older version is not downloaded', async () => {
    server.publish({ version: '0.0.1' });
    await checkSays(`which is older than ${current}. Hangar does not downgrade automatically`);
    expect(downloads(server)).toEqual([]);
  });
  await test.step('the same version is not downloaded', async () => {
    server.publish({ version: current });
    await checkSays(`Hangar ${current} is the newest version of the stable channel.`);
    expect(downloads(server)).toEqual([]);
  });
  await test.step('a feed that cannot be read is refused with a reason', async () => {
    server.publishText('version: [9.0.0\n\tfiles: }');
    await checkSays('The list of releases on the update server cannot be read.');
    server.publishText('files: []');
    await checkSays('The list of releases on the update server names no version.');
  });
  await test.step('a staged roll-out that does not reach this computer yet is not downloaded', async () => {
    server.publish({ version: '9.0.0', stagingPercentage: 49 });
    await checkSays('is not available for this computer yet.');
    expect(downloads(server)).toEqual([]);
  });
  await test.step('a file with another checksum than the feed names is removed', async () => {
    server.publish({ version: '9.0.0', sha512: Buffer.alloc(64).toString('base64') });
    await checkSays('its checksum is wrong. Hangar removed it.');
    expect(readdirSync(pending)).toEqual([]);
  });
}

/** The folder of downloads is on a full disk until this is done. */
async function fillDisk(updates: Locator, home: string): Promise<void> {
  using disk = mountSmallDisk(1);
  const link = join(home, 'cache/hangar-updater');
  mkdirSync(join(home, 'cache'), { recursive: true });
  symlinkSync(disk.folder, link);
  await check(updates);
  await expect(updates).toContainText('The disk is full: the update could not be stored.');
  rmSync(link);
}

/** Ends the app, with the update that the server has to be installed at the end. */
async function endWithUpdate(desktop: Desktop, home: string, updates: Locator): Promise<void> {
  await check(updates);
  await choose(updates, 'Install at quit');
  await expect(updates).toContainText('It is installed when you quit Hangar.');
  await desktop.quit();
  await expect.poll(() => processesOf(home)).toEqual([]);
}

test.describe('while a job runs', () => {
  // A staged roll-out reaches it at 50 per cent.
  test.use({ updaterId: '00000000-0000-5000-8000-00007fffffff' });

  // Without a job the same is refused, and a version is installed at once: main/hosts/electron/updates/updates.spec.ts.
  test('what cannot be installed is refused with a reason, and a newer version is downloaded, installed and started', async ({
    desktop,
    home,
    server,
    appImage,
  }) => {
    const job = await runJob(desktop, home);
    const updates = await settings(desktop);
    const pending = join(home, 'cache/hangar-updater/pending');
    /** A failure of an update is none of the job. */
    const checkSays: CheckSays = async (words) => {
      await check(updates);
      await expect(updates).toContainText(words);
      expect(await job.status()).toBe('IN_PROGRESS');
    };
    await refuseWhatCannotBe(server, pending, checkSays);
    await test.step('a download, of a roll-out that reaches this computer, is cut and goes on at the next check', async () => {
      server.publish({ version: '9.0.0', stagingPercentage: 51 });
      server.cutDownloads(1);
      const before = downloads(server).length;
      await checkSays('The connection to the update server failed. The next attempt continues where this one ended.');
      expect(readdirSync(pending)).toEqual([]);
      await checkSays('Version 9.0.0 is downloaded.');
      expect(downloads(server).slice(before)).toEqual(['all', expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
      programIs(join(pending, 'Hangar-9.0.0.AppImage'), '9.0.0');
    });
    await expect(desktop.page.getByText('An update is ready.')).toBeVisible();
    programIs(appImage, current);
    await choose(updates, 'Install now');
    await expect(updates).toContainText('It waits for 1 job.');
    await expect(desktop.page.getByText('The update is waiting.')).toBeVisible();
    programIs(appImage, current);
    expect(await job.status()).toBe('IN_PROGRESS');
    job.finish();
    // The app ends as soon as it finds that no job runs, so the engine may never be asked again.
    await expect.poll(() => processesOf(home)).toEqual([]);
    expect(storedStatuses(home)).toEqual(['COMPLETED']);
    programIs(appImage, '9.0.0');
    await expect.poll(() => starts(appImage)).toBe('9.0.0 stays\n');
  });

  const noDisk = whyNoSmallDisk();
  if (noDisk !== null) test('a disk without room for the file is told', () => test.skip(true, noDisk));

  const title = `${noDisk === null ? 'a disk without room for the file is told, and ' : ''}a version that is chosen for the end is not installed`;
  test(title, async ({ desktop, home, server, appImage }) => {
    const job = await runJob(desktop, home);
    const updates = await settings(desktop);
    server.publish({ version: '9.0.0' });
    if (noDisk === null) {
      await test.step('a disk without room for the file is told', () => fillDisk(updates, home));
      expect(await job.status()).toBe('IN_PROGRESS');
    }
    await endWithUpdate(desktop, home, updates);
    programIs(appImage, current);
    expect(starts(appImage)).toBe('');
    await logged(home, 'the update is not installed at this end: work runs');
  });
});

test.describe('while nothing runs', () => {
  test('a version that is chosen for the end is installed then', async ({ desktop, home, server, appImage }) => {
    const updates = await settings(desktop);
    server.publish({ version: '9.0.0' });
    await endWithUpdate(desktop, home, updates);
    programIs(appImage, '9.0.0');
    expect(starts(appImage)).toBe('9.0.0 true\n');
  });
});
