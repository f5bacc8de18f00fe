// The settings that keep something: API keys of the engine, the bounds of the ledger, and the passphrase of the keys of accounts.
import { existsSync } from 'node:fs';
import { call, expectNoFault } from './support/handlers.ts';
import { expect, startHost, test, type Host } from './support/host.ts';

const asks = async (host: Host, key: string, path = '/v1/endpoints', method = 'GET'): Promise<number> =>
  (await fetch(host.api + path, { method, headers: { authorization: `Bearer ${key}` } })).status;

test('an API key is made, shown once in a tab of the host, and does what its row says until it is deleted', async ({
  page,
  context,
  shell,
  host,
}) => {
  test.slow(true, 'axe looks at it as well');
  await shell.open('#/settings/api-keys');
  const table = page.getByRole('table', { name: 'API keys' });
  await expect(table.getByRole('row', { name: /^First key/ })).toContainText('Everything');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('nightly');
  await dialog.getByRole('combobox', { name: 'May do' }).click();
  await page.getByRole('option', { name: 'Chosen endpoints' }).click();
  await expect(dialog.getByRole('button', { name: 'Make the key' })).toBeDisabled();
  await dialog.getByRole('combobox', { name: 'Endpoints' }).click();
  await page.getByRole('option', { name: /^stream-words/ }).click();
  await page.keyboard.press('Escape');
  await expectNoFault(page, 'a new key', '[role=dialog]');
  await dialog.getByRole('button', { name: 'Make the key' }).click();

  await expect(dialog).toHaveAccessibleName('The key nightly is made');
  await expect(dialog.getByRole('link', { name: 'Show the new key' })).toBeVisible();
  await expectNoFault(page, 'the key that was made', '[role=dialog]');
  const [shown] = await Promise.all([
    context.waitForEvent('page'),
    dialog.getByRole('link', { name: 'Show the new key' }).click(),
  ]);
  const key = (await shown.locator('code.key').textContent()) ?? '';
  await shown.close();
  await expect(dialog).toContainText('The link is used up');
  expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain(key);
  await dialog.getByRole('button', { name: 'Done' }).click();

  const row = (name: string) => table.getByRole('row', { name: new RegExp(`^${name}`) });
  await expect(row('nightly')).toContainText('Chosen endpoints');
  await expect(row('nightly')).toContainText('stream-words');
  await expect(row('nightly')).toContainText('never');
  expect(await asks(host, key)).toBe(403);
  await expectNoFault(page, 'API keys');
  await page.setViewportSize({ width: 640, height: 400 });
  await expect.poll(() => shell.sidewaysScroll()).toBe(0);
  await page.setViewportSize({ width: 1280, height: 720 });

  const choose = async (name: string, what: string) => {
    await page.getByRole('button', { name: `More for ${name}` }).click();
    await page.getByRole('menuitem', { name: what }).click();
  };
  await choose('nightly', 'Change…');
  await dialog.getByLabel('Name').fill('reader');
  await dialog.getByRole('combobox', { name: 'May do' }).click();
  await page.getByRole('option', { name: 'Read only' }).click();
  await dialog.getByRole('button', { name: 'Change it' }).click();
  await expect(row('reader')).toContainText('Read only');
  expect(await asks(host, key)).toBe(200);
  await choose('reader', 'Disable');
  await expect(row('reader')).toContainText('disabled');
  expect(await asks(host, key)).toBe(401);
  await choose('reader', 'Enable');
  await expect(row('reader')).not.toContainText('disabled');
  expect(await asks(host, key)).toBe(200);
  await choose('reader', 'Delete…');
  await expect(dialog).toContainText('refused with 401');
  await dialog.getByLabel('Type reader to go on').fill('reader');
  await dialog.getByRole('button', { name: 'Delete the key' }).click();
  await expect(row('reader')).toBeHidden();
  expect(await asks(host, key)).toBe(401);
});

test('a key names an endpoint that is gone as such, and while Hangar is away the last keys are shown as the last', async ({
  page,
}) => {
  test.slow(true, 'a host of its own, and axe looks at it as well');
  const mortal = await startHost();
  try {
    const endpoints = await call<{ id: string; name: string }[]>(mortal, 'GET', '/v1/endpoints');
    const endpointIds = ['prime-factors', 'fail-halfway'].map((name) => endpoints.find((one) => one.name === name)!.id);
    await call(mortal, 'POST', '/local/v1/api-keys', { name: 'nightly', scope: 'endpoints', endpointIds });
    await call(mortal, 'DELETE', `/v1/endpoints/${endpointIds[1]}`);
    await page.goto(mortal.link);
    await page.goto(`${mortal.page}/#/settings/api-keys`);
    const row = page.getByRole('table', { name: 'API keys' }).getByRole('row', { name: /^nightly/ });
    await expect(row).toContainText(`prime-factors, ${endpointIds[1]} (not there any more)`);
    await mortal.stop();
    const stale = page.getByRole('status').filter({ hasText: /^As of .*These are the last that came/ });
    await expect(stale).toBeVisible({ timeout: 30_000 });
    await expect(row).toBeVisible();
    await expectNoFault(page, 'keys of an engine that is away');
  } finally {
    await mortal.stop();
  }
});

test('the bounds of the ledger are held against what is allowed, and what would go is said before', async ({
  page,
  shell,
  run,
}) => {
  test.slow(true, 'axe looks at it as well');
  await shell.open('#/run');
  await run.choose('stream-words');
  await run.write('{"input": {"text": "one", "delayMs": 1}}');
  await run.run();
  await run.expectState('Done');
  // Three days later by the clock of the page alone, a job that has just ended is older than a day.
  await page.clock.setFixedTime(Date.now() + 3 * 24 * 60 * 60 * 1000);
  await shell.open('#/settings/storage');
  const block = page.getByRole('region', { name: 'What the ledger keeps' });
  await expect(block).toContainText('nothing, ever');
  const days = block.getByLabel('Keep jobs for');
  const save = block.getByRole('button', { name: 'Save what is kept' });
  await days.fill('0');
  await expect(block).toContainText(/From 1 to 3.650 days/);
  await expect(save).toBeDisabled();
  await days.fill('1');
  await save.click();
  const dialog = page.getByRole('dialog', { name: 'Remove jobs from the ledger?' });
  // The host has run other files of tests before this one.
  await expect(dialog).toContainText(/Jobs that ended before .*: [1-9]\d* at most/);
  await expectNoFault(page, 'the question', '[role=dialog]');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await days.fill('30');
  await save.click();
  await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeAttached();
  await expect(save).toBeDisabled();
  await page.reload();
  await shell.ready();
  await expect(days).toHaveValue('30 days');
  await page.setViewportSize({ width: 640, height: 400 });
  await expect.poll(() => shell.sidewaysScroll()).toBe(0);
});

test('the passphrase of the encrypted file is changed by who knows it, and typed twice', async ({ page, shell }) => {
  test.slow(true, 'a passphrase is made costly to guess');
  const type = async (label: string, text: string) => {
    await page.getByLabel(label, { exact: true }).click();
    await page.keyboard.insertText(text);
  };
  const change = async (from: string, to: string, again = to) => {
    await type('Passphrase now', from);
    await type('New passphrase', to);
    await type('The new one again', again);
    await page.getByRole('button', { name: 'Change the passphrase' }).click();
  };
  await shell.open('#/settings/secrets');
  await type('A passphrase for the file', 'the first passphrase');
  await page.getByRole('button', { name: 'Keep them in the file' }).click();
  const block = page.getByRole('region', { name: 'Another passphrase' });
  await expect(block).toBeVisible({ timeout: 20_000 });
  await expectNoFault(page, 'keys in a file');
  await change('the first passphrase', 'the second passphrase', 'the second pasphrase');
  await expect(block.getByRole('alert')).toContainText('typed in two ways');
  await change('not the passphrase', 'the second passphrase');
  await expect(block.getByRole('alert')).toContainText('This is not the passphrase', { timeout: 20_000 });
  await change('the first passphrase', 'the second passphrase');
  await expect(block.getByRole('status')).toContainText('Changed.', { timeout: 20_000 });
  for (const field of await block.getByRole('textbox').all()) await expect(field).toHaveValue('');
  await page.getByRole('button', { name: 'Keep them in memory alone' }).click();
  await expect(block).toBeHidden({ timeout: 20_000 });
});

test('keys that nobody can read any more are given up once that is typed, and kept anew', async ({ page }) => {
  test.slow(true, 'a host of its own, axe, and a passphrase that is costly to guess');
  // Nobody listens at the address: the key is looked for before anything is asked there.
  const closed = 'http://127.0.0.1:9';
  const account = {
    ...{ id: 'work', name: 'Work', kind: 'cloud', dialect: 'v2', addedAt: 1 },
    addresses: { jobs: closed, management: closed, graphql: null },
    capabilities: ['jobs', 'management', 'pods', 'billing'],
    key: { fingerprint: 'abc', last4: 'aB3d', addedAt: 1, keptIn: 'file' },
  };
  const files = { 'secrets.vault': 'sealed', 'accounts.json': JSON.stringify({ accounts: [account] }) };
  const locked = await startHost({ env: { HANGAR_KEYS: '' }, files });
  try {
    await page.goto(locked.link);
    await page.goto(`${locked.page}/#/home`);
    await expect(page.getByText('Keys are locked away: Work')).toBeVisible({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Unlock: Keys are locked away: Work' }).click();
    await expect(page.getByText('The file is locked.')).toBeVisible({ timeout: 20_000 });
    await page.getByRole('button', { name: 'Give up this file…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Give up the encrypted file?' });
    await expectNoFault(page, 'giving up', '[role=dialog]');
    await dialog.getByLabel('A passphrase for the new file').click();
    await page.keyboard.insertText('a passphrase of the test');
    await expect(dialog.getByRole('button', { name: 'Give it up' })).toBeDisabled();
    await dialog.getByLabel('Type give up to go on').fill('give up');
    await dialog.getByRole('button', { name: 'Give it up' }).click();
    await expect(dialog).toBeHidden({ timeout: 20_000 });
    await expect(page.getByText('The file is locked.')).toBeHidden();
    await expect(page.getByRole('region', { name: 'Another passphrase' })).toBeVisible();
    expect(existsSync(`${locked.dataDir}/secrets.vault.old`)).toBe(true);
  } finally {
    await locked.stop();
  }
});
