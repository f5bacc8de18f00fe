// Every page, with its tabs and with what it opens beside its list, has no fault that axe knows, in any appearance, and
// nothing on it moves for people who want less motion.
import type { Page } from '@playwright/test';
import { endpointAddresses, pageAddresses } from './support/addresses.ts';
import { call, chatty, expectNoFault, makeEndpoint } from './support/handlers.ts';
import { expect, test } from './support/host.ts';

/** Its job runs until it is cancelled: what runs moves, for all other people. */
const ENDLESS = `export default (job, { signal }) =>
  new Promise((resolve) => signal.addEventListener('abort', resolve));`;

/** What moves on the page now. */
const moving = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .map(({ effect }) => (effect instanceof KeyframeEffect ? (effect.target?.outerHTML.slice(0, 100) ?? '') : '')),
  );

test('every page and every tab of an endpoint has no fault, and does not move for people who want less motion', async ({
  page,
  shell,
  jobs,
  host,
}) => {
  const id = await makeEndpoint(host, 'on-every-page', chatty);
  const failing = await makeEndpoint(
    host,
    'on-every-page-fails',
    "export default () => { throw new Error('no paper'); };",
  );
  await call(host, 'POST', `/v2/${id}/runsync`, { input: { steps: 3 } });
  await call(host, 'POST', `/v2/${failing}/runsync`, { input: {} });
  const endless = await makeEndpoint(host, 'on-every-page-runs', ENDLESS);
  const job = await call<{ id: string }>(host, 'POST', `/v2/${endless}/run`, { input: {} });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await shell.open('#/jobs');
  await expect(jobs.rows.filter({ hasText: 'on-every-page-runs' }).locator('[data-status=IN_PROGRESS]')).toBeVisible();
  for (const address of [...pageAddresses, ...endpointAddresses(id)]) {
    await shell.open(address);
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expect.poll(() => moving(page), address).toEqual([]);
    await expectNoFault(page, address);
  }

  await shell.open('#/jobs');
  await jobs.rows.filter({ hasText: 'no paper' }).first().click();
  for (const tab of await jobs.inspector.getByRole('tab').allTextContents()) {
    await jobs.inspector.getByRole('tab', { name: tab }).click();
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await expectNoFault(page, `the tab ${tab} of a job`, '[aria-label=Job]');
  }
  await call(host, 'POST', `/v2/${endless}/cancel/${job.id}`);
});
