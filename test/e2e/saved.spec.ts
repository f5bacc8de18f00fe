// What is saved in one browser shows in another one at once, and is there after a restart of the host.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { expectNoFault } from './support/handlers.ts';
import { expect, startHost, test } from './support/host.ts';
import { JobsPage } from './pages/jobsPage.ts';
import { RunPage } from './pages/runPage.ts';
import { Shell } from './pages/shell.ts';

type State = Exclude<NonNullable<BrowserContextOptions['storageState']>, string>;

async function openBrowser(browser: Browser, address: string, hash: string, storageState?: State): Promise<Page> {
  const context = await browser.newContext(storageState === undefined ? {} : { storageState });
  const page = await context.newPage();
  await page.goto(address);
  await page.goto(`${new URL(address).origin}/${hash}`);
  await new Shell(page).ready();
  return page;
}

const savedInputs = (page: Page) => page.getByRole('list', { name: 'Saved inputs' });
const savedFilters = (page: Page) => page.getByRole('list', { name: 'Saved filters' });

test('an input and a filter that one browser saves are in another one, and in both after a restart of the host', async ({
  browser,
}) => {
  const home = await mkdtemp(join(tmpdir(), 'hangar-e2e-home-'));
  let host = await startHost({ home });
  try {
    const one = await openBrowser(browser, host.link, '#/run');
    const run = new RunPage(one);
    await run.choose('stream-words');
    await run.write('{"input": {"text": "a quiet harbour"}}');
    await one.getByRole('button', { name: 'Saved', exact: true }).click();
    await one.getByRole('textbox', { name: 'Name for this input' }).fill('harbour');
    await one.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(savedInputs(one)).toContainText('harbour');
    await expectNoFault(one, 'saved inputs', '[role=dialog]');
    const draftKey = await one.evaluate(
      () =>
        Object.keys(localStorage)
          .find((key) => key.startsWith('hangar.draft.'))
          ?.slice('hangar.draft.'.length) ?? '',
    );

    // As an earlier version left it in another browser.
    const { cookies, origins } = await one.context().storageState();
    const earlier = JSON.stringify([{ name: 'by an earlier version', body: '{"input": {"text": "earlier"}}' }]);
    const state: State = {
      cookies,
      origins: origins.map(({ origin, localStorage }) => ({
        origin,
        localStorage: [
          ...localStorage.filter(({ name }) => name === 'hangar.page-token'),
          { name: `hangar.saved-inputs.${draftKey}`, value: earlier },
        ],
      })),
    };
    const other = await openBrowser(browser, host.page, '#/run', state);
    const otherRun = new RunPage(other);
    await otherRun.choose('stream-words');
    await test.step('the first browser sees what the second one had, and the second one what the first one saved', async () => {
      await expect(savedInputs(one)).toContainText('by an earlier version');
      await other.getByRole('button', { name: 'Saved', exact: true }).click();
      await expect(savedInputs(other)).toContainText('by an earlier version');
      const keys = () => other.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('saved-inputs')));
      await expect.poll(keys).toEqual([]);
      await savedInputs(other).getByRole('button', { name: 'harbour', exact: true }).click();
      await expect.poll(() => otherRun.written()).toBe('{"input": {"text": "a quiet harbour"}}');
    });

    await test.step('a filter that the second browser saves is in the first one', async () => {
      await other.goto(`${host.page}/#/jobs`);
      const jobs = new JobsPage(other);
      await jobs.filter('State', 'Failed');
      await other.getByRole('textbox', { name: 'Name of the filter' }).fill('bad ones');
      await other.getByRole('textbox', { name: 'Name of the filter' }).press('Enter');
      await expect(savedFilters(other)).toContainText('bad ones');
      await one.goto(`${host.page}/#/jobs`);
      await new JobsPage(one).openFilter();
      await expect(savedFilters(one)).toContainText('bad ones');
      await new Shell(other).restOnNotices();
      await other.getByRole('button', { name: 'Remove the saved filter bad ones' }).press('Enter');
      await expect(savedFilters(one)).toBeHidden();
      await other.getByRole('button', { name: 'Undo' }).click();
      await expect(savedFilters(one)).toContainText('bad ones');
    });
    await one.context().close();
    await other.context().close();
    await host.stop();

    host = await startHost({ home });
    // With its text, too: main/app/saved/savedDocuments.spec.ts.
    const later = await openBrowser(browser, host.link, '#/settings/storage');
    await test.step('both are there after a restart, in Settings', async () => {
      const table = later.getByRole('table', { name: 'Saved in the window' });
      await expect(table.getByRole('row', { name: /harbour/ })).toContainText('stream-words · This computer');
      await expect(table.getByRole('row', { name: /bad ones/ })).toBeVisible();
      await expectNoFault(later, 'what was saved', '[aria-labelledby=saved]');
    });
    await later.context().close();
  } finally {
    await host.stop();
    await rm(home, { recursive: true, force: true });
  }
});
