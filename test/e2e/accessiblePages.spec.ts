// Every page, with its tabs and with what it opens beside its list, has no fault that axe knows in either theme, and
// nothing on it moves for people who want less motion.
import type { Page } from '@playwright/test';
import { pageFacts } from '#contract/app/pages.ts';
import type { JobsPage } from './pages/jobsPage.ts';
import type { Shell } from './pages/shell.ts';
import { endpointAddresses, pageAddresses } from './support/addresses.ts';
import { call, chatty, expectNoFault, expectPageWithoutFault, makeEndpoint } from './support/handlers.ts';
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

/** The ids of what the pages show: an endpoint with a finished job, a job that runs, a volume and credentials. */
const made = { endpoint: '', endless: '', runningJob: '', volume: '', registry: '' };

test.beforeAll(async ({ host }) => {
  made.endpoint = await makeEndpoint(host, 'on-every-page', chatty);
  await call(host, 'POST', `/v2/${made.endpoint}/runsync`, { input: { steps: 3 } });
  const failing = await makeEndpoint(
    host,
    'on-every-page-fails',
    "export default () => { throw new Error('no paper'); };",
  );
  await call(host, 'POST', `/v2/${failing}/runsync`, { input: {} });
  const volume = { name: 'on-every-page', size: 10, dataCenterId: 'EU-RO-1' };
  made.volume = (await call<{ id: string }>(host, 'POST', '/v1/networkvolumes', volume)).id;
  const registry = { name: 'on-every-page', username: 'me', password: 'x' };
  made.registry = (await call<{ id: string }>(host, 'POST', '/v1/containerregistryauth', registry)).id;
  made.endless = await makeEndpoint(host, 'on-every-page-runs', ENDLESS);
  const { id } = await call<{ id: string }>(host, 'POST', `/v2/${made.endless}/run`, { input: {} });
  made.runningJob = id;
  const stateOfJob = async () =>
    (await call<{ status: string }>(host, 'GET', `/v2/${made.endless}/status/${id}`)).status;
  await expect.poll(stateOfJob).toBe('IN_PROGRESS');
});

test.afterAll(async ({ host }) => {
  await call(host, 'POST', `/v2/${made.endless}/cancel/${made.runningJob}`);
  await call(host, 'DELETE', `/v1/networkvolumes/${made.volume}`);
  await call(host, 'DELETE', `/v1/containerregistryauth/${made.registry}`);
});

async function expectStill(page: Page, shell: Shell, address: string): Promise<void> {
  await shell.open(address);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expect.poll(() => moving(page), address).toEqual([]);
}

async function expectPages({ page, shell, jobs }: { page: Page; shell: Shell; jobs: JobsPage }): Promise<void> {
  for (const name of Object.keys(pageFacts)) {
    if (name === 'jobs') {
      // What runs moves, so its row is there before anything is looked at.
      await shell.open('#/jobs');
      const row = jobs.rows.filter({ hasText: 'on-every-page-runs' });
      await expect(row.locator('[data-status=IN_PROGRESS]')).toBeVisible();
    }
    for (const address of pageAddresses.filter((one) => one.split('/')[1] === name)) {
      await expectStill(page, shell, address);
      // The frame is the same in all tabs of a page. A running job and buttons that are on look different with high contrast.
      if (address === `#/${name}`) await expectPageWithoutFault(page, address, name === 'jobs');
      else await expectNoFault(page, address);
    }
  }
}

test('no page and no tab of an endpoint or a job has a fault, and no page moves for people who want less motion', async ({
  page,
  shell,
  jobs,
}) => {
  await test.step('no page has a fault, and none moves for people who want less motion', () =>
    expectPages({ page, shell, jobs }));
  await test.step('an endpoint has no fault in any tab, and does not move for people who want less motion', async () => {
    for (const address of endpointAddresses(made.endpoint)) {
      await expectStill(page, shell, address);
      await expectNoFault(page, address);
    }
  });
  await test.step('a job has no fault in any tab', async () => {
    await shell.open('#/jobs');
    await jobs.rows.filter({ hasText: 'no paper' }).first().click();
    await expect(jobs.inspector.getByRole('tab', { selected: true })).toBeVisible();
    for (const tab of await jobs.inspector.getByRole('tab').allTextContents()) {
      await jobs.inspector.getByRole('tab', { name: tab }).click();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expectNoFault(page, `the tab ${tab} of a job`, '[aria-label=Job]');
    }
  });
});
