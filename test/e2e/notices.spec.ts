// Notifications of the browser: its permission in Settings, which of several pages shows one, and what a click opens.
import type { Page } from '@playwright/test';
import { call, makeEndpoint, expectNoFault } from './support/handlers.ts';
import { expect, test } from './support/host.ts';
import { mainSwitch, recordNotices, shownIn } from './support/notices.ts';

/** Counts how often a page subscribes to the changes of jobs: once for its lists, and once more for notifications. */
function countSubscriptions(page: Page): () => number {
  let count = 0;
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      if (payload.toString().includes('/jobs/changes')) count += 1;
    }),
  );
  return () => count;
}

const setFocus = (page: Page, hasFocus: boolean): Promise<void> =>
  page.evaluate((wanted) => {
    sessionStorage.setItem('focus', wanted ? 'yes' : 'no');
    window.dispatchEvent(new Event(wanted ? 'focus' : 'blur'));
  }, hasFocus);

/** Waits until a page of the browser is known as the one with the focus. */
const focusKnown = (page: Page) =>
  expect
    .poll(() => page.evaluate(async () => (await navigator.locks.query()).held?.map(({ name }) => name)))
    .toContain('hangar.focus');

/** Waits until the page that shows notifications has decided whether to show those of `jobs` jobs. */
async function decided(page: Page, jobs: number): Promise<void> {
  const stored = () => page.evaluate(() => localStorage.getItem('hangar.notifiedJobs'));
  await expect.poll(async () => (JSON.parse((await stored()) ?? '{}') as { ids?: string[] }).ids).toHaveLength(jobs);
  // The page asked for the locks when it knew of the last job, and gets its answers in their order.
  await page.evaluate(() => navigator.locks.query());
}

test('one of several pages shows a notification while none has the focus, and a click opens the job', async ({
  host,
  page,
  context,
  shell,
}) => {
  await recordNotices(context);
  const handler = `export default () => { throw new Error('no such file'); };`;
  const fails = await makeEndpoint(host, 'no-file', handler);
  const breaks = await makeEndpoint(host, 'no-folder', handler);
  const [failed, broke] = ['A job of no-file failed', 'A job of no-folder failed'];
  const runJob = (endpoint: string) => call<{ id: string }>(host, 'POST', `/v2/${endpoint}/run`, { input: {} });
  const ofFirst = countSubscriptions(page);
  await shell.open('#/settings');
  const second = await context.newPage();
  const ofSecond = countSubscriptions(second);
  await second.goto(`${host.page}/#/settings`);

  await test.step('a person turns them on in one page, which turns them on in all', async () => {
    await mainSwitch(page).press('Space');
    for (const one of [page, second]) await expect(mainSwitch(one)).toBeChecked();
    await expect(page.getByRole('switch', { name: 'A job fails' })).toBeChecked();
    await expectNoFault(page, 'the notifications of a browser', 'main');
    await expect.poll(() => ofFirst() + ofSecond()).toBe(3);
  });
  const shown = async () => [await shownIn(page), await shownIn(second)];
  await runJob(fails);
  await expect.poll(async () => (await shown()).flat()).toEqual([failed]);
  const [shower, other] = (await shownIn(page)).length > 0 ? [page, second] : [second, page];
  await test.step('a click on the notification opens the job', async () => {
    await shower.evaluate(() => window.shownNotices[0]?.dispatchEvent(new Event('click')));
    await expect(shower).toHaveURL(/#\/jobs\/./);
  });
  await test.step('while another page has the focus, none is shown', async () => {
    await other.goto(`${host.page}/#/jobs`);
    await setFocus(other, true);
    await focusKnown(shower);
    await runJob(fails);
    await decided(shower, 2);
    await expect(other.getByRole('row').filter({ hasText: 'no-file' }).filter({ hasText: 'Failed' })).toHaveCount(2);
    await setFocus(other, false);
    await runJob(breaks);
    await expect.poll(() => shownIn(shower)).toEqual([failed, broke]);
    expect(await shownIn(other)).toEqual([]);
  });
  await test.step('after that page is closed, the other one shows them', async () => {
    await shower.close();
    await expect.poll(() => Math.min(ofFirst(), ofSecond())).toBe(2);
    await runJob(fails);
    await expect.poll(() => shownIn(other)).toEqual([failed]);
  });
  await test.step('a job that fails while no page is open is shown by the next one, and only once', async () => {
    await other.goto('about:blank');
    const { id } = await runJob(breaks);
    await expect.poll(() => call(host, 'GET', `/v2/${breaks}/status/${id}`)).toMatchObject({ status: 'FAILED' });
    await other.goto(`${host.page}/#/jobs`);
    await expect.poll(() => shownIn(other)).toEqual([broke]);
    await other.reload();
    await runJob(fails);
    await expect.poll(() => shownIn(other)).toEqual([failed]);
  });
});

test('Settings says that the browser blocks notifications, and how to allow them', async ({ page, shell }) => {
  await shell.open('#/settings');
  const isBlocked = await page.evaluate(() => Notification.permission === 'denied');
  test.skip(!isBlocked, 'this browser does not block notifications; chromium-headless-shell does');
  await expect(mainSwitch(page)).toHaveAccessibleName(/The browser blocks .* To allow them, click the icon before/);
  await expect(mainSwitch(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('switch', { name: 'A job fails' })).toHaveCount(0);
});
