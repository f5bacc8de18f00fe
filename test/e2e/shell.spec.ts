// The frame round the pages: navigation, palette, look, and what it says when the engine is away.
import { engineAway } from './pages/shell.ts';
import { enginePid, expect, startHost, test } from './support/host.ts';

test('a fresh start has samples ready to run, and pages, endpoints and actions by keys and by the palette', async ({
  page,
  shell,
  run,
  host,
}) => {
  await test.step('the first page of a fresh start has samples ready to run', async () => {
    await shell.open('');
    await expect(run.runButton).toBeEnabled();
    await expect(run.runButton).toHaveText(/Run on this computer/);
    await run.page.getByRole('button', { name: /^Endpoint:/ }).click();
    for (const name of ['draw-fractal', 'fail-halfway', 'prime-factors', 'small-chat', 'stream-words'])
      await expect(run.page.getByRole('option', { name: new RegExp(`^${name}`) })).toBeVisible();
    await run.page.keyboard.press('Escape');
  });
  await test.step('the status bar tells the engine and the workers of the chosen endpoint', async () => {
    await expect(shell.statusBar).toContainText(new URL(host.api).host);
    await run.choose('stream-words');
    await run.run();
    await run.expectState('Done');
    await expect(shell.statusBar).toContainText(/idle/);
  });
  await test.step('the palette leads to pages, endpoints and actions', async () => {
    await shell.command('Jobs');
    await expect(shell.page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible();
    await shell.command('fail-halfway');
    await expect(shell.page.getByRole('region', { name: 'Overview of fail-halfway' })).toBeVisible();
    await shell.command('Run a job on fail-halfway');
    await expect(run.page.getByRole('button', { name: 'Endpoint: fail-halfway' })).toBeVisible();
    await shell.command('Theme: Dark');
    await expect(shell.page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  });
  await test.step('keys lead to pages and to the sheet of all keys', async () => {
    await page.keyboard.press('ControlOrMeta+2');
    await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible();
    await page.keyboard.press('?');
    await expect(shell.shortcuts).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(shell.shortcuts).toBeHidden();
  });
});

test.describe('a browser without a session', () => {
  test.use({ expectedErrors: /status of 401/ });

  test('a page that has lost the token of its pairing is told how to come in', async ({ page, shell }) => {
    await shell.open('#/run');
    await page.evaluate(() => {
      localStorage.clear();
    });
    await page.reload();
    await expect(page.getByRole('heading', { name: 'This browser is not paired with Hangar yet' })).toBeVisible();
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'This browser is not paired with Hangar yet' })).toBeVisible();
  });
});

test('the theme follows the system until one is chosen, and the choice is kept', async ({ page, shell }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await shell.open('#/run');
  // Transparent until the styles are there.
  await expect.poll(() => shell.background()).not.toBe('rgba(0, 0, 0, 0)');
  const light = await shell.background();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => shell.background()).not.toBe(light);
  await shell.chooseTheme('Light');
  await expect.poll(() => shell.background()).toBe(light);
  await page.reload();
  await shell.ready();
  await expect.poll(() => shell.background()).toBe(light);
});

test('when the engine dies, and when Hangar itself ends, the page says so and keeps what it shows, as does a page whose files were not loaded yet', async ({
  page,
  shell,
  run,
}) => {
  // A job that another test left running would be set aside, and each later page would say so.
  const mortal = await startHost();
  await using _mortal = { [Symbol.asyncDispose]: mortal.stop };
  await page.goto(mortal.link);
  await shell.ready();
  await page.goto(`${mortal.page}/#/run`);
  await run.choose('stream-words');
  await run.write('{"input": {"text": "kept while the engine is away", "delayMs": 1}}');
  await run.run();
  await run.expectState('Done');
  const pid = enginePid(mortal);
  await test.step('the page goes on by itself after the engine has died', async () => {
    if (pid === null) {
      process.stderr.write('SKIPPED: that the engine dies, because this system does not tell which process it is\n');
      return;
    }
    const banners = await shell.watchBanner();
    process.kill(pid, 'SIGKILL');
    await expect.poll(banners).toContainEqual(expect.stringMatching(engineAway));
    await expect(run.output).toContainText('kept while the engine is away');
    await shell.ready();
    await expect(shell.banner).toBeHidden();
    await shell.dismissCrash();
  });
  await run.write('{"input": {"text": "kept while Hangar is away", "delayMs": 1}}');
  await run.run();
  await expect(run.output).toContainText('kept while Hangar is away');
  await run.expectState('Done');
  await mortal.stop();
  await expect(shell.banner).toHaveText('Connection to Hangar lost, trying again.');
  await expect(run.output).toContainText('kept while Hangar is away');
  await expect(run.hint.filter({ hasText: 'Not connected to Hangar.' })).toBeVisible();
  await shell.navigation.getByRole('link', { name: /^Billing/ }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'This page could not be shown' })).toBeVisible();
  await shell.goTo('Run');
  await expect(run.editor).toBeVisible();
});
