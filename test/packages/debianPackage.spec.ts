/**
 * The Debian package of Hangar without a window: installed, run, upgraded while it runs, and removed, in a clean
 * Debian.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isMissingFile, systemCode } from '#contract/core/systemCode.ts';
import { until } from '../support/core/until.ts';
import { makeDebianRoot, whyNoDebianRoot, type DebianRoot } from './debianRoot.ts';
import { jobsAt, makeEndpoint, serve, type Installed } from './installed.ts';
import { NEWER, OLDER, madePackages } from './made.ts';
import { skipFor } from '../support/core/skip.ts';

const { debs } = madePackages();
const whyNot = debs === null ? 'no Debian package can be made on this machine' : whyNoDebianRoot();
const DATA = '/root/data';

/** A handler whose jobs wait for a file, and say which program ran them. */
const HANDLER = `
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
export default async function (job) {
  while (!existsSync('/root/handler/open')) await delay(20);
  return { n: job.input.n, program: process.execPath };
}
`;

function install(root: DebianRoot, deb: string): string {
  copyFileSync(deb, join(root.folder, 'root/hangar.deb'));
  // Without a mirror: the package needs nothing that is not in every Debian.
  writeFileSync(join(root.folder, 'etc/apt/sources.list'), '');
  return root.run('apt-get', 'install', '-y', '--no-install-recommends', '/root/hangar.deb');
}

/** The process ids of a process's children. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** Empty for a process that has ended since its parent was read. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch (error) {
    if (isMissingFile(error) || systemCode(error) === 'ESRCH') return '';
    throw error;
  }
}

const engineOf = (hangar: Installed): number | undefined =>
  childrenOf(hangar.pid).find((pid) => commandOf(pid).includes('engine.js'));

const versionsIn = (root: DebianRoot): string[] =>
  readdirSync(join(root.folder, 'usr/lib/hangar/versions')).map((name) => name.replace(/-[0-9a-f]{12}$/, ''));

async function versionOf(hangar: Installed): Promise<unknown> {
  return ((await hangar.http.get('/health')).json as { version: unknown }).version;
}

const TITLE = 'it installs in a clean Debian, is upgraded while it runs without losing a job, and leaves only its data';

test(TITLE, skipFor(whyNot), async () => {
  if (debs === null) return;
  using root = makeDebianRoot();
  const before = root.paths();
  install(root, debs.older);
  expect(root.run('hangar', '--version')).toBe(`${OLDER}\n`);
  mkdirSync(join(root.folder, 'root/handler'));
  writeFileSync(join(root.folder, 'root/handler/handler.mjs'), HANDLER);

  const hangar = await serve(root.command('hangar'), root.env, DATA);
  const endpointId = await makeEndpoint(hangar.http, '/root/handler');
  const jobs = jobsAt(hangar.http, endpointId);
  const ids = [await jobs.run({ n: 0 }), await jobs.run({ n: 1 }), await jobs.run({ n: 2 })];
  await until(
    'the first job to run',
    () => jobs.status(ids[0] ?? ''),
    ({ status }) => status === 'IN_PROGRESS',
  );

  expect(install(root, debs.newer)).toContain(`A Hangar of version ${OLDER}-`);
  expect(root.run('hangar', '--version')).toBe(`${NEWER}\n`);
  expect(versionsIn(root)).toEqual([OLDER, NEWER]);
  // The running one goes on from its own files, even where its engine has to be started again.
  const engine = engineOf(hangar);
  if (engine === undefined) throw new Error('The engine is not running.');
  process.kill(engine, 'SIGKILL');
  await until(
    'another engine',
    () => engineOf(hangar),
    (pid) => pid !== undefined && pid !== engine,
  );
  await until(
    'the engine to answer',
    () => versionOf(hangar).catch(() => null),
    (version) => version === OLDER,
  );
  writeFileSync(join(root.folder, 'root/handler/open'), '');
  const finished = await Promise.all(ids.map((id) => jobs.finished(id)));
  expect(finished.map(({ status, output }) => ({ status, output }))).toEqual(
    ids.map((_, n) => ({
      status: 'COMPLETED',
      output: { n, program: expect.stringContaining(`/usr/lib/hangar/versions/${OLDER}-`) },
    })),
  );
  expect(await hangar.stop()).toBe(0);

  // Started again, it is the new one, with all jobs.
  const upgraded = await serve(root.command('hangar'), root.env, DATA);
  expect(await versionOf(upgraded)).toBe(NEWER);
  const later = jobsAt(upgraded.http, endpointId);
  expect(await Promise.all(ids.map(async (id) => (await later.status(id)).status))).toEqual(ids.map(() => 'COMPLETED'));
  // The next configuration removes the folder that nobody runs from any more, and keeps the one in use.
  root.run('dpkg-reconfigure', 'hangar');
  expect(versionsIn(root)).toEqual([NEWER]);

  // Its removal stops it in order, and leaves the data.
  root.run('apt-get', 'remove', '-y', 'hangar');
  expect(await upgraded.ended()).toBe(0);
  upgraded.http.stop();
  expect(existsSync(join(root.folder, DATA, 'engine.db'))).toBe(true);
  const known = new Set(before);
  const left = root
    .paths()
    .filter((path) => !known.has(path) && !/^(?:root|proc|dev|tmp)\/|^var\/(?:log|lib|cache)\//.test(path));
  expect(left).toEqual([]);
  expect(root.run('dpkg-query', '--list').includes('hangar')).toBe(false);
});
