// What is away is said once, by the banner: no page says it again, and each keeps what it shows, to be read by anyone.
import type { Page } from '@playwright/test';
import { startRelay } from '../support/http/relay.ts';
import type { Shell } from './pages/shell.ts';
import { expectNoFault } from './support/handlers.ts';
import { expect, startHost } from './support/host.ts';
import { visit } from './support/pictures.ts';
import { test } from './support/remoteTest.ts';

/** Sentences that say that something is away, wherever they stand. */
const AWAY =
  /cannot be reached|could not be read|cannot be read|did not answer|does not answer|has not answered|connection to Hangar (was )?lost|not followed|out of date|cannot run now/gi;

/** Each page with a text that it keeps; null where nothing is kept. */
const pages: readonly (readonly [hash: string, shown: string | null])[] = [
  ['#/home', 'Recent'],
  ['#/run', null],
  ['#/jobs', null],
  ['#/endpoints', 'stream-words'],
  ['#/pods', null],
  ['#/machine', 'Rules'],
  ['#/gpus', 'Without a GPU'],
  ['#/resources', 'stream-words'],
  ['#/billing', null],
  ['#/terminals', null],
  ['#/accounts', 'This computer'],
  ['#/settings', 'Appearance'],
  ['#/settings/storage', 'Oldest'],
  ['#/settings/keys', 'Account keys'],
  ['#/settings/limits', 'Operation'],
  ['#/settings/ssh', 'Shells'],
];

/** Every sentence of the page that says it, one for each time. */
const sayings = async (page: Page): Promise<string[]> =>
  [...(await page.locator('body').innerText()).matchAll(AWAY)].map(([text]) => text);

/** Loads every page once, so that each has its files and something to keep. */
async function visitAll(page: Page): Promise<void> {
  for (const [hash, shown] of pages) {
    await visit(page, hash);
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    if (shown !== null) await expect(page.getByRole('main').getByText(shown).first()).toBeVisible();
  }
}

async function expectSaidOnce(page: Page, shell: Shell): Promise<void> {
  for (const [hash, shown] of pages) {
    await visit(page, hash);
    if (shown !== null) await expect(page.getByRole('main').getByText(shown).first(), hash).toBeVisible();
    await expect(async () => expect(await sayings(page), hash).toHaveLength(1)).toPass();
  }
  await shell.goTo('Endpoints');
}

test.use({ expectedErrors: /ERR_CONNECTION_(FAILED|REFUSED)|WebSocket/ });

test('an account that is away and a Hangar that has ended are said to be once, on every page', async ({
  page,
  shell,
  accounts,
}) => {
  // Its own Hangar has no accounts that other tests left, which are away as well.
  const near = await startHost();
  const far = await startHost();
  const relay = await startRelay(far.api);
  try {
    await page.goto(near.link);
    await shell.ready();
    await shell.goTo('Accounts');
    await accounts.add({
      kind: 'An engine on another machine',
      name: 'lab',
      key: far.apiKey,
      addresses: { Address: relay.address },
    });
    await test.step('an account that is away is said to be once, on every page', async () => {
      await accounts.switchTo('lab');
      await visitAll(page);
      await relay.cut();
      await expect(page.getByRole('alert').filter({ hasText: 'lab cannot be reached.' })).toBeVisible();
      await expectSaidOnce(page, shell);
      await expectNoFault(page, 'the endpoints of an account that is away');
      await relay.join();
      await expect(page.getByRole('alert').filter({ hasText: 'lab cannot be reached.' })).toBeHidden();
    });
    await test.step('a page whose Hangar has ended says so once, on every page', async () => {
      await accounts.switchTo('This computer');
      await visitAll(page);
      await near.stop();
      await expect(shell.banner).toBeVisible();
      await expectSaidOnce(page, shell);
      await expectNoFault(page, 'the endpoints of a Hangar that has ended');
    });
  } finally {
    await relay.cut();
    await Promise.all([near.stop(), far.stop()]);
  }
});
