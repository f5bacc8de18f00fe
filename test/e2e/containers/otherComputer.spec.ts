// The page in the browser of another computer: plain http to an address that is not loopback is no secure context, in which a
// browser has neither the Clipboard API nor `crypto.randomUUID`.
import { makeLinkedNetwork, whyNoLinkedNetwork } from '../../support/containers/linkedNetwork.ts';
import { startOwnHost } from '../support/terminalText.ts';
import { expect, test } from './containerHost.ts';

const none = whyNoLinkedNetwork();

test('a browser on another computer runs a job, copies, creates a key, and opens a terminal', async ({
  page,
  shell,
  run,
  jobs,
}) => {
  test.skip(none !== null, none ?? '');
  await using network = await makeLinkedNetwork();
  await using host = await startOwnHost(['--host', network.address, '--allow-lan'], { under: network.under });
  await page.goto(host.link);
  await shell.ready();
  // The page loads itself anew where the new network made the browser drop one of its files.
  await expect(async () => expect(await page.evaluate(() => window.isSecureContext)).toBe(false)).toPass();

  await test.step('a job runs', async () => {
    await shell.goTo('Run');
    await run.choose('prime-factors');
    await run.run();
    await run.expectState('Done');
  });

  await test.step('a copied text can be pasted', async () => {
    await page.getByRole('button', { name: 'Copy output' }).click();
    await expect(page.getByRole('status').filter({ hasText: /^Copied$/ })).toBeAttached();
    await shell.goTo('Jobs');
    const search = jobs.filters.getByRole('textbox', { name: 'Text' });
    await search.focus();
    await page.keyboard.press('ControlOrMeta+v');
    await expect(search).toHaveValue(/\d/);
  });

  await test.step('a new key can be copied in its tab', async () => {
    await shell.goTo('Endpoints');
    await page.getByRole('row', { name: /^prime-factors/ }).click();
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const tab = await opened;
    const key = await tab.locator('.key').textContent();
    await tab.getByRole('button', { name: 'Copy' }).click();
    await expect(tab.getByText(/^Copied\. Paste it/)).toBeVisible();
    await tab.close();
    await shell.goTo('Jobs');
    const search = jobs.filters.getByRole('textbox', { name: 'Text' });
    await search.focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+v');
    await expect(search).toHaveValue(key ?? '');
  });

  await test.step('a shell opens', async () => {
    await shell.goTo('Terminals');
    await page
      .getByRole('main')
      .getByRole('button', { name: /^This computer/ })
      .click();
    await expect(page.locator('.xterm-rows')).toContainText(/[#$]/);
  });
});
