// What is saved in one browser shows in another one at once, and in Settings. That it is there after a restart is in
// main/app/saved/savedDocuments.spec.ts.
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { expectNoFault, makeEndpoint } from './support/handlers.ts';
import { expect, test } from './support/host.ts';
import { JobsPage } from './pages/jobsPage.ts';
import { RunPage } from './pages/runPage.ts';
import { Shell } from './pages/shell.ts';

type State = Exclude<NonNullable<BrowserContextOptions['storageState']>, string>;

async function openBrowser(browser: Browser, address: string, storageState: State): Promise<Page> {
  const context = await browser.newContext({ storageState });
  const page = await context.newPage();
  await page.goto(address);
  await new Shell(page).ready();
  return page;
}

const savedInputs = (page: Page) => page.getByRole('list', { name: 'Saved inputs' });
const savedFilters = (page: Page) => page.getByRole('list', { name: 'Saved filters' });

test('an input and a filter that one browser saves are in another one, and in Settings', async ({
  browser,
  host,
  page: one,
  shell,
  run,
}) => {
  await makeEndpoint(host, 'saved-for', 'export default (job) => job.input.text;');
  await shell.open('#/run');
  await run.choose('saved-for');
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
  const other = await openBrowser(browser, `${host.page}/#/run`, state);
  const otherRun = new RunPage(other);
  await otherRun.choose('saved-for');
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
  await test.step('both are in Settings', async () => {
    await other.goto(`${host.page}/#/settings/storage`);
    const table = other.getByRole('table', { name: 'Saved in the window' });
    await expect(table.getByRole('row', { name: /harbour/ })).toContainText('saved-for · This computer');
    await expect(table.getByRole('row', { name: /bad ones/ })).toBeVisible();
    await expectNoFault(other, 'what was saved', '[aria-labelledby=saved]');
  });
  await other.context().close();
});
