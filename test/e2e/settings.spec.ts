// The settings that keep something: API keys of the engine, and the passphrase of the keys of accounts.
import { existsSync } from 'node:fs';
import { expectNoFault } from './support/handlers.ts';
import { Shell } from './pages/shell.ts';
import { expect, startHost, test, type Host } from './support/host.ts';
import { readQrCodes } from './support/qrCode.ts';

const asks = async (host: Host, key: string, path = '/v1/endpoints', method = 'GET'): Promise<number> =>
  (await fetch(host.api + path, { method, headers: { authorization: `Bearer ${key}` } })).status;

test('an API key is made, shown once in a tab of the host, and does what its row says until it is deleted', async ({
  page,
  context,
  shell,
  host,
}) => {
  await shell.open('#/settings/keys');
  const table = page.getByRole('table', { name: 'API keys' });
  await expect(table.getByRole('row', { name: /^First key/ })).toContainText('Everything');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('nightly');
  await dialog.getByRole('combobox', { name: 'Permissions' }).click();
  await page.getByRole('option', { name: 'Selected endpoints' }).click();
  await expect(dialog.getByRole('button', { name: 'Create the key' })).toBeDisabled();
  await dialog.getByRole('combobox', { name: 'Endpoints' }).click();
  await page.getByRole('option', { name: /^stream-words/ }).click();
  await page.keyboard.press('Escape');
  await expectNoFault(page, 'a new key', '[role=dialog]');
  await dialog.getByRole('button', { name: 'Create the key' }).click();

  await expect(dialog).toHaveAccessibleName('Created the key nightly');
  await expect(dialog.getByRole('link', { name: 'Show the new key' })).toBeVisible();
  await expectNoFault(page, 'the key that was made', '[role=dialog]');
  const [shown] = await Promise.all([
    context.waitForEvent('page'),
    dialog.getByRole('link', { name: 'Show the new key' }).click(),
  ]);
  const key = (await shown.locator('code.key').textContent()) ?? '';
  await shown.close();
  await expect(dialog).toContainText('If you missed it');
  expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain(key);
  await dialog.getByRole('button', { name: 'Done' }).click();

  const row = (name: string) => table.getByRole('row', { name: new RegExp(`^${name}`) });
  await expect(row('nightly')).toContainText('Selected endpoints');
  await expect(row('nightly')).toContainText('stream-words');
  await expect(row('nightly')).toContainText('never');
  expect(await asks(host, key)).toBe(403);
  await expectNoFault(page, 'keys', 'main');
  await page.setViewportSize({ width: 640, height: 400 });
  await expect.poll(() => shell.sidewaysScroll()).toBe(0);
  await page.setViewportSize({ width: 1280, height: 720 });

  const choose = async (name: string, what: string) => {
    await page.getByRole('button', { name: `More for ${name}` }).click();
    await page
      .getByRole('menu', { name: `More for ${name}` })
      .getByRole('menuitem', { name: what })
      .click();
  };
  await choose('nightly', 'Change…');
  await dialog.getByLabel('Name').fill('reader');
  await dialog.getByRole('combobox', { name: 'Permissions' }).click();
  await page.getByRole('option', { name: 'Read only' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row('reader')).toContainText('Read only');
  expect(await asks(host, key)).toBe(200);
  await choose('reader', 'Disable');
  await expect(row('reader')).toContainText('disabled');
  expect(await asks(host, key)).toBe(401);
  await choose('reader', 'Enable');
  await expect(row('reader')).not.toContainText('disabled');
  expect(await asks(host, key)).toBe(200);
  await choose('reader', 'Delete…');
  await expect(dialog).toContainText('get 401 from now on');
  await dialog.getByLabel('Type reader to confirm').fill('reader');
  await dialog.getByRole('button', { name: 'Delete the key' }).click();
  await expect(row('reader')).toBeHidden();
  expect(await asks(host, key)).toBe(401);
});

test('keys that nobody can read any more are given up once that is typed, and kept anew', async ({ page }) => {
  // Nobody listens at the address: the key is looked for before anything is asked there.
  const closed = 'http://127.0.0.1:9';
  const account = {
    id: 'work',
    name: 'Work',
    kind: 'cloud',
    dialect: 'v2',
    addedAt: 1,
    addresses: { jobs: closed, management: closed, graphql: null },
    capabilities: ['jobs', 'management', 'pods', 'billing'],
    key: { fingerprint: 'abc', last4: 'aB3d', addedAt: 1, keptIn: 'file' },
  };
  const files = { 'secrets.vault': 'sealed', 'accounts.json': JSON.stringify({ accounts: [account] }) };
  const locked = await startHost({ env: { HANGAR_KEYS: '' }, files });
  try {
    await page.goto(locked.link);
    await page.goto(`${locked.page}/#/home`);
    await expect(page.getByText('Keys are locked: Work')).toBeVisible();
    await page.getByRole('button', { name: 'Unlock: Keys are locked: Work' }).click();
    await expect(page.getByText('The file is locked.')).toBeVisible();
    await page.getByRole('button', { name: 'Abandon this file…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Abandon the encrypted file?' });
    await expectNoFault(page, 'giving up', '[role=dialog]');
    await dialog.getByLabel('A passphrase for the new file').click();
    await page.keyboard.insertText('a passphrase of the test');
    await expect(dialog.getByRole('button', { name: 'Abandon' })).toBeDisabled();
    await dialog.getByLabel('Type abandon to confirm').fill('abandon');
    await dialog.getByRole('button', { name: 'Abandon' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('The file is locked.')).toBeHidden();
    await expect(page.getByRole('region', { name: 'Another passphrase' })).toBeVisible();
    await expect.poll(() => existsSync(`${locked.dataDir}/secrets.vault.old`)).toBe(true);
  } finally {
    await locked.stop();
  }
});

test('the card of Settings is as wide as that of a page with a list', async ({ page, shell }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await shell.open('#/resources');
  const sides: string[] = [];
  for (const name of ['Resources', 'Settings'] as const) {
    await shell.goTo(name);
    const card = await page.getByRole('region', { name, exact: true }).boundingBox();
    sides.push(`${card?.x} ${card?.width}`);
  }
  expect(sides[1]).toBe(sides[0]);
});

test('another browser is paired by a link that is shown once, with a QR code, in a tab of the host', async ({
  page,
  context,
  browser,
  shell,
}) => {
  await shell.open('#/settings/keys');
  await page.getByRole('button', { name: 'Pair another browser' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pair another browser' });
  await expect(dialog).toContainText('for ten minutes');
  await dialog.getByRole('button', { name: 'Create the link' }).click();
  await expect(dialog).toContainText('Hangar listens on this computer only.');
  await expectNoFault(page, 'the link to another browser', '[role=dialog]');
  const [shown] = await Promise.all([
    context.waitForEvent('page'),
    dialog.getByRole('link', { name: 'Show the link' }).click(),
  ]);
  const link = (await shown.locator('code.key').textContent()) ?? '';
  for (const colorScheme of ['light', 'dark'] as const) {
    await shown.emulateMedia({ colorScheme });
    const picture = await shown.screenshot({ path: test.info().outputPath(`pairing-${colorScheme}.png`) });
    expect(await readQrCodes(new Uint8Array(picture)), colorScheme).toEqual([link]);
  }
  expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain(new URL(link).search);
  const other = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const opened = await other.newPage();
  await opened.goto(link);
  // Its connection is open.
  await new Shell(opened).ready();
  const late = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const refused = await late.newPage();
  await refused.goto(link);
  await expect(refused.getByRole('heading', { name: 'This sign-in link does not work any more' })).toBeVisible();
  await late.close();
  await test.step('it is listed, and loses its connection when it is removed', async () => {
    await dialog.getByRole('button', { name: 'Done' }).click();
    const table = page.getByRole('table', { name: 'Paired browsers' });
    // The list is read again when the dialog closes.
    await expect(table.getByRole('row').filter({ hasText: 'open' })).toHaveCount(2);
    await expectNoFault(page, 'paired browsers', 'main');
    const row = table.getByRole('row').filter({ hasText: 'Chrome on' }).filter({ hasNotText: 'this browser' }).first();
    await row.getByRole('button', { name: /^Remove Chrome/ }).click();
    const question = page.getByRole('dialog', { name: /^Remove Chrome/ });
    await question.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(opened.getByRole('heading', { name: 'This browser is not paired with Hangar yet' })).toBeVisible();
    await expect(table.getByRole('row').filter({ hasText: 'open' })).toHaveCount(1);
  });
  await other.close();
});

test('the port of SSH into Pods is chosen in words, and a taken one says so', async ({ page, host, shell }) => {
  await shell.open('#/settings/ssh');
  const block = page.getByRole('region', { name: 'SSH into Pods of this computer' });
  const port = block.getByLabel('Port');
  const choose = async (text: string) => {
    await port.fill(text);
    await port.press('Enter');
  };
  await choose('70000');
  await expect(block).toContainText('From 1 to 65535.');
  const enginePort = new URL(host.api).port;
  await choose(enginePort);
  await expect(block).toContainText(`Port ${enginePort} is that of the API.`);
  await choose('');
  await expect(block).toContainText('It listens once a Pod runs');
  await block.getByLabel('Public key to allow').fill('no key');
  await block.getByRole('button', { name: 'Allow this key' }).click();
  await expect(block).toContainText('A key is the line of a file that ends in .pub');
});
