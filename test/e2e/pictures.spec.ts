// Leaves a picture of every page in every state that changes it, to be looked at: empty, filled, unreadable, offline and
// lost. One host, one page of the browser. A state comes about as it does for people: nothing is made yet, a service
// answers 500 to all, a service has gone, the host was killed. The pages of this computer alone read from the host, so
// only without it can they not be read.
import type { Endpoint } from '#contract/api/resources.ts';
import { pageFacts } from '#contract/app/pages.ts';
import type { Page } from '@playwright/test';
import { call, chatty, makeEndpoint } from './support/handlers.ts';
import { expect, startHost } from './support/host.ts';
import { wideParts } from './support/layout.ts';
import { leavePicture, visit } from './support/pictures.ts';
import { cloudV1, test } from './support/remoteTest.ts';

/** Of this computer alone, whichever account is the target. */
const ownPages = ['home', 'accounts', 'settings', 'settings/storage', 'settings/keys', 'settings/limits'].map(
  (name) => `#/${name}`,
);
/** Of the account that is the target. */
const targetPages = [
  'run',
  'run/~compare',
  'jobs',
  'endpoints',
  'pods',
  'terminals',
  'machine',
  'gpus',
  'resources',
  'resources/volumes',
  'resources/registries',
  'billing',
].map((name) => `#/${name}`);
/** The target pages that ask the service for something, and say so when it cannot be had. */
const UNREADABLE = /could not be read|cannot be read|did not answer/;
const unreadablePages = [
  '#/run',
  '#/endpoints',
  '#/pods',
  '#/terminals',
  '#/gpus',
  '#/resources',
  '#/resources/volumes',
  '#/billing',
];

/** Those that show the same, whatever an endpoint, its jobs and a volume are. */
const isSame = (hash: string): boolean =>
  /^#\/(pods|terminals|gpus|accounts|resources\/registries|settings(?!\/storage))/.test(hash);

/** Where the head of a page stands. */
const placeOfHead = (page: Page): Promise<string> =>
  page.getByRole('heading', { level: 1 }).evaluate((heading) => {
    const { left, top, bottom } = heading.getBoundingClientRect();
    const head = heading.closest('header')?.getBoundingClientRect().bottom ?? 0;
    return [left, (top + bottom) / 2, head].map(Math.round).join(' ');
  });

const titleOf = (hash: string): string =>
  hash === '#/run/~compare'
    ? 'Compare'
    : (Object.entries(pageFacts).find(([name]) => hash.split('/')[1] === name)?.[1].title ?? '');

/** Visits these pages and leaves a picture of each, once `isThere` has passed. */
async function leavePictures(
  page: Page,
  state: string,
  hashes: readonly string[],
  isThere: (hash: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  for (const hash of hashes) {
    await visit(page, hash);
    await expect(page.locator('[aria-busy=true]'), hash).toHaveCount(0);
    await isThere(hash);
    await expect(async () => expect(await wideParts(page), `${state} ${hash}`).toEqual([])).toPass();
    await leavePicture(page, state);
  }
}

test('every page fits its window while it is empty, filled, unreadable, offline and without its host, and all heads are on one line', async ({
  page,
  shell,
  accounts,
  remote,
}) => {
  const host = await startHost({ dockerHost: 'unix:///nowhere/docker.sock' });
  await using _host = { [Symbol.asyncDispose]: host.stop };
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(host.link);
  await shell.ready();

  await test.step('empty', async () => {
    for (const { id } of await call<Endpoint[]>(host, 'GET', '/v1/endpoints')) {
      await call(host, 'DELETE', `/v1/endpoints/${id}`);
    }
    // The heads of all pages are on one line, and their first cards begin on one.
    let place = '';
    await leavePictures(page, 'empty', [...ownPages, ...targetPages], async (hash) => {
      // The head of the page before is gone.
      await expect(page.getByRole('heading', { level: 1, name: titleOf(hash) })).toBeVisible();
      place ||= await placeOfHead(page);
      await expect.poll(() => placeOfHead(page), hash).toBe(place);
    });
  });
  await test.step('filled', async () => {
    const id = await makeEndpoint(host, 'talks', chatty);
    const failing = await makeEndpoint(host, 'fails', "export default () => { throw new Error('out of paper'); };");
    await call(host, 'POST', `/v2/${id}/runsync`, { input: { steps: 3 } });
    await call(host, 'POST', `/v2/${failing}/runsync`, { input: {} });
    await call(host, 'POST', '/v1/networkvolumes', { name: 'models', size: 1, dataCenterId: 'LOCAL-1' });
    const tabs = ['', '/metrics', '/workers', '/logs', '/jobs', '/settings', '/json'];
    const inspected = tabs.map((tab) => `#/endpoints/${id}${tab}`);
    const changed = [...ownPages, ...targetPages].filter((hash) => !isSame(hash));
    await leavePictures(page, 'filled', [...changed, ...inspected]);
  });
  remote.addEndpoint({ name: 'far' });
  await visit(page, '#/accounts');
  await accounts.add(cloudV1(remote, 'service'));
  await test.step('unreadable', async () => {
    const reads = remote.fault({ as: { status: 500, json: { error: 'the database is on fire' } } });
    await accounts.switchTo('service');
    // A new document, which has kept nothing of the service.
    await page.reload();
    await leavePictures(page, 'unreadable', targetPages, async (hash) => {
      if (unreadablePages.includes(hash)) await expect(page.getByText(UNREADABLE).first(), hash).toBeVisible();
    });
    reads();
  });
  await test.step('offline', async () => {
    await page.reload();
    await visit(page, '#/endpoints');
    await expect(page.getByRole('row', { name: /^far/ })).toBeVisible();
    await remote.goOffline();
    await expect(page.getByRole('alert').filter({ hasText: 'service cannot be reached.' })).toBeVisible();
    await leavePictures(page, 'offline', targetPages);
  });
  await test.step('lost', async () => {
    // A new document, which has all its programs and nothing of these pages yet when the host is killed.
    await visit(page, '#/run');
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
    process.kill(host.pid, 'SIGKILL');
    await expect(shell.banner).toContainText('Connection to Hangar lost');
    await leavePictures(page, 'lost', [...ownPages, '#/jobs'], async (hash) => {
      // Nothing looks as if it still came.
      await expect(page.locator('.mantine-Skeleton-root'), hash).toHaveCount(0);
    });
  });
});
