import { expect, test } from './support/host.ts';

test.use({ expectedErrors: /ERR_CONNECTION_(FAILED|REFUSED)|WebSocket|dynamically imported module|PartLoadError/ });

const JOBS_PAGE = '**/assets/JobsPage-*.js';
const JOBS_STYLE = '**/assets/JobsPage-*.css';
const APPEARANCE_MENU = '**/assets/AppearanceMenu-*.js';
/** How often a module is asked for before it counts as missing. */
const ATTEMPTS = 3;

test('a page whose files were dropped by the browser is shown all the same, and what was written is still there', async ({
  page,
  shell,
  run,
}) => {
  await shell.open('#/run');
  await run.choose('stream-words');
  await run.write('{"input": {"text": "written before"}}');
  await page.route(JOBS_STYLE, (route) => route.abort('connectionfailed'), { times: 1 });
  // The page is opened anew, and a click at that moment would be lost.
  const opened = page.waitForEvent('load');
  await shell.goTo('Jobs');
  await opened;
  await shell.goTo('Run');
  await expect(run.editor).toContainText('written before');
});

test('a page whose files cannot be had says so, leaves the others alone, and is loaded again when asked', async ({
  page,
  shell,
}) => {
  await shell.open('#/machine');
  const jobsLink = shell.navigation.getByRole('link', { name: /^Jobs/ });
  await page.route(JOBS_PAGE, (route) => route.abort('connectionfailed'));
  await jobsLink.click();
  const failure = page.getByRole('alert').filter({ hasText: 'This page could not be shown' });
  await expect(failure).toBeVisible();
  await shell.goTo('Endpoints');
  await jobsLink.click();
  await expect(failure).toBeVisible();
  await page.unroute(JOBS_PAGE);
  await failure.getByRole('button', { name: 'Load the page again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible();
});

test('a menu whose files are gone opens after the page was loaded again, and not before somebody opens it', async ({
  page,
  shell,
}) => {
  let loads = 0;
  page.on('load', () => (loads += 1));
  let refused = 0;
  await page.route(APPEARANCE_MENU, (route) => {
    refused += 1;
    return route.abort('connectionfailed');
  });
  await shell.open('#/home');
  await page.keyboard.press('Shift');
  await expect.poll(() => refused).toBe(ATTEMPTS);
  const before = loads;
  const opened = page.waitForEvent('load');
  const button = page.getByRole('button', { name: /^Appearance/ });
  await button.click();
  await opened;
  expect(loads).toBe(before + 1);
  await page.unroute(APPEARANCE_MENU);
  await button.click();
  await expect(page.getByRole('menu')).toBeVisible();
});
