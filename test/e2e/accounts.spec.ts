// Accounts in the window, against the built host, the remote service on loopback, and the engine of another host.
import type { NewAccount } from './pages/accountsPage.ts';
import { expectFocusIn } from './pages/focus.ts';
import { expectNoFault } from './support/handlers.ts';
import { findInMemory } from './support/heap.ts';
import { startRelay } from '../support/http/relay.ts';
import { expect, startHost } from './support/host.ts';
import { visit } from './support/pictures.ts';
import { cloudV1, test } from './support/remoteTest.ts';

/** One look at the whole heap takes seconds alone. */
const HEAP_MS = 300_000;

const service = (address: string, key: string, name: string): NewAccount => ({
  kind: 'Another service with this API',
  name,
  key,
  addresses: { Jobs: address, REST: address, GraphQL: address },
});

test(
  'an account elsewhere does what this computer does, says what only it knows, may go offline, and is removed',
  { tag: '@journey' },
  async ({ page, shell, run, accounts, jobs }) => {
    // Its engine is a machine of a person's own, and stands for a service elsewhere, too.
    const far = await startHost();
    const relay = await startRelay(far.api);
    try {
      await shell.open('#/accounts');
      await test.step('it is tested before it is added, and shows no more of its key than its end', async () => {
        await accounts.fillIn(service(relay.address, far.apiKey, 'work'));
        await accounts.sheet.getByRole('button', { name: 'Test the connection' }).click();
        await expect(accounts.sheet.getByRole('list', { name: 'What it can do' })).toContainText('Jobs');
        await accounts.sheet.getByRole('button', { name: 'Add this account' }).click();
        await expect(accounts.inspector.getByRole('heading', { level: 2 })).toHaveText('work');
        await expect(accounts.inspector.getByText(`…${far.apiKey.slice(-4)}`)).toBeVisible();
      });
      await test.step('the same job runs on a remote account and here, and the target is in sight at each', async () => {
        await accounts.inspector.getByRole('button', { name: 'Use as target' }).click();
        await expect(shell.target).toHaveAccessibleName('Target: work, costs money');
        await shell.goTo('Run');
        await run.choose('stream-words');
        await expect(run.runButton).toHaveText(/Run on work · costs money/);
        await run.write('{"input": {"text": "from far away", "delayMs": 1}}');
        await run.run();
        await run.expectState('Done');
        await expect(run.output).toContainText('from far away');

        await shell.command('Switch to this computer');
        await expect(shell.target).toHaveAccessibleName('Target: This computer, engine ready');
        await run.choose('stream-words');
        await expect(run.runButton).toHaveText(/Run on this computer/);
        await run.write('{"input": {"text": "from close by", "delayMs": 1}}');
        await run.run();
        await run.expectState('Done');
        await expect(run.output).toContainText('from close by');

        await shell.goTo('Jobs');
        const done = page.getByRole('row', { name: /Done .*stream-words/ });
        await expect(done.filter({ hasText: 'from far away' })).toHaveCount(1);
        await expect(done.filter({ hasText: 'from close by' })).toHaveCount(1);
        await jobs.filter('Account', 'work');
        await expect(done.filter({ hasText: 'from close by' })).toHaveCount(0);
        await expect(done.filter({ hasText: 'from far away' })).toHaveCount(1);
        await shell.goTo('Home');
        await expect(page.getByRole('region', { name: 'Recent' })).toContainText('work');
      });
      await accounts.switchTo('work');
      await shell.goTo('Endpoints');
      const row = page.getByRole('row', { name: /^stream-words/ });
      await test.step('what only a service knows of an endpoint is shown as it tells it', async () => {
        await row.click();
        const others = page.getByRole('region', { name: 'Other fields as JSON' });
        await expect(others).toContainText('"userId"');
        await expect(others).not.toContainText('"workersMax"');
        await expectNoFault(page, 'what only a service knows of an endpoint', '[aria-label=Endpoint]');
        await page.keyboard.press('Escape');
      });
      await test.step('what was shown stays while it is offline, and is as it is now, without a click, once that is back', async () => {
        await expect(row).toBeVisible();
        await relay.cut();
        const banner = page.getByRole('alert').filter({ hasText: 'work cannot be reached.' });
        const stale = page.getByRole('status').filter({ hasText: /^Last known/ });
        await expect(banner).toBeVisible();
        await expect(stale).toHaveText(/^Last known, .*offline/);
        await expect(row).toBeVisible();
        await expect(banner).toContainText(/Next try in|Trying again now/);
        await relay.join();
        await expect(banner).toBeHidden();
        await expect(stale).toBeHidden();
      });
      await test.step('an engine on another machine shows its computer, and is removed once its name is typed', async () => {
        await shell.goTo('Accounts');
        await accounts.add({
          kind: 'An engine on another machine',
          name: 'GPU box',
          key: far.apiKey,
          addresses: { Address: far.api },
        });
        await accounts.switchTo('GPU box');
        await shell.navigation.getByRole('link', { name: /^Machine/ }).click();
        await expect(page.getByRole('heading', { level: 1, name: 'GPU box' })).toBeVisible();
        await expect(page.getByRole('region', { name: 'Engine' })).toContainText(new URL(far.api).host);
        await shell.goTo('Accounts');
        await accounts.list.getByRole('row', { name: /^GPU box/ }).click();
        await accounts.inspector.getByRole('button', { name: 'Remove…' }).click();
        const dialog = page.getByRole('dialog', { name: 'Remove GPU box' });
        await dialog.getByLabel('Type GPU box to confirm').fill('GPU box');
        await dialog.getByRole('button', { name: 'Remove the account' }).click();
        await expect(accounts.list.getByRole('row', { name: /^GPU box/ })).toBeHidden();
        await shell.ready();
      });
    } finally {
      await relay.cut();
      await far.stop();
    }
  },
);

test('the key and the addresses of an account are replaced once they work, and the page has no key afterwards', async ({
  page,
  shell,
  accounts,
  remote,
}) => {
  const [second, wrong] = [remote.setKey('all'), 'rpa_WRONG00000000000000000000000000000000'];
  const relay = await startRelay(remote.v1.jobs);
  try {
    await shell.open('#/accounts');
    await accounts.add(cloudV1(remote, 'kept'));
    await test.step('a key that is refused changes nothing, and one that works is taken', async () => {
      for (const [key, words] of [
        [wrong, /Nothing has changed/],
        [second, null],
      ] as const) {
        await accounts.inspector.getByRole('button', { name: 'Replace the key' }).click();
        const dialog = page.getByRole('dialog', { name: 'New key for kept' });
        await accounts.typeSecret(dialog.getByRole('textbox', { name: 'New key' }), key);
        await dialog.getByRole('button', { name: 'Test and replace' }).click();
        if (words === null) await expect(dialog).toBeHidden();
        else {
          await expect(dialog).toContainText(words);
          // The refusal is that of the field, which is empty and has the focus for the next try.
          const field = dialog.getByRole('textbox', { name: 'New key' });
          await expect(field).toHaveValue('');
          await expect(field).toBeFocused();
          await expect(field).toHaveAccessibleDescription(words);
          await dialog.getByRole('button', { name: 'Cancel' }).click();
        }
      }
      await expect(accounts.inspector.getByText(`…${second.slice(-4)}`)).toBeVisible();
    });
    await test.step('an account is asked at other addresses once its key works there', async () => {
      await accounts.inspector.getByRole('button', { name: 'Change the addresses' }).click();
      const dialog = page.getByRole('dialog', { name: 'Addresses of kept' });
      const change = dialog.getByRole('button', { name: 'Test and change' });
      await expect(dialog.getByLabel('REST')).toHaveValue(`${remote.v1.management}/v1`);
      await expect(change).toBeDisabled();
      await dialog.getByLabel('Jobs').fill('http://example.com');
      // Another host has to be trusted with the key by typing it.
      await expect(change).toBeDisabled();
      await accounts.typeSecret(dialog.getByLabel('API key'), second);
      await change.click();
      // The key was not refused: only the address is to be corrected.
      await expect(dialog.getByLabel('Jobs')).toBeFocused();
      await expect(dialog.getByLabel('Jobs')).toHaveAccessibleDescription(/^http:.* would send the key unencrypted/);
      await dialog.getByLabel('Jobs').fill(`${relay.address}/v2`);
      await expectNoFault(page, 'the addresses of an account', '[role=dialog]');
      await expect(dialog.getByLabel('API key')).toHaveValue(second);
      await change.click();
      await expect(dialog).toBeHidden();
      await expect(accounts.inspector.getByText(relay.address)).toBeVisible();
      await expect(accounts.inspector.getByText(`…${second.slice(-4)}`)).toBeVisible();
    });
    await test.step('neither the heap nor the storage of the page has a key, whether it was kept, replaced or refused', async () => {
      // A text that the page holds shows that the search finds one.
      const planted = 'planted-3f9b1c';
      await page.evaluate((text) => Object.assign(window, { planted: [text] }), planted);
      const texts = [remote.key, second, wrong, planted];
      // The dialog closes while the request that had the key is still being put away.
      await expect.poll(() => findInMemory(page, texts), { timeout: HEAP_MS }).toEqual([`${planted} is in the heap`]);
    });
  } finally {
    await relay.cut();
  }
});

test('a refused key and a lost answer are said, and what to do about them is one click away', async ({
  page,
  shell,
  run,
  accounts,
  remote,
}) => {
  remote.addEndpoint({ name: 'echoes' });
  await shell.open('#/accounts');
  await accounts.add(cloudV1(remote, 'locked-out'));
  await accounts.switchTo('locked-out');
  await test.step('a refused key is said on every page, and another one is given from there', async () => {
    remote.setKey('off', remote.key);
    await shell.goTo('Pods');
    const banner = page.getByRole('alert').filter({ hasText: 'Key for locked-out was refused.' });
    await expect(banner).toHaveText(/It answered: ".+"\./);
    await expect(shell.navigation.getByRole('link', { name: 'Machine', exact: true })).toBeVisible();
    await expect(shell.navigation.getByRole('link', { name: 'This computer' })).toHaveCount(0);
    for (const hash of ['run', 'jobs', 'endpoints', 'pods', 'machine', 'gpus', 'resources', 'billing', 'accounts']) {
      await visit(page, `#/${hash}`);
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await expect(page.getByText('Key for locked-out was refused.')).toHaveCount(1);
      await expect(page.getByText(/No (endpoint|Pods) on locked-out/)).toHaveCount(0);
    }
    await shell.command('Switch to this computer');
    await expect(banner).toBeHidden();
    await shell.goTo('Home');
    await page.getByRole('button', { name: 'Replace the key: The key for locked-out was refused' }).click();
    await expectFocusIn(page.getByRole('dialog'));
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Replace the key' })).toHaveCount(1);
    await accounts.switchTo('locked-out');
    await expect(page.getByRole('button', { name: 'Replace the key' })).toHaveCount(1);
    await shell.goTo('Run');
    await expect(page.getByRole('button', { name: 'Replace the key' })).toHaveCount(1);
    await banner.getByRole('button', { name: 'Replace the key' }).click();
    await accounts.typeSecret(page.getByRole('textbox', { name: 'New key' }), remote.setKey('all'));
    await page.getByRole('button', { name: 'Test and replace' }).click();
    await expect(banner).toBeHidden();
    await expect(accounts.inspector.locator('[data-account-state=ok]')).toBeVisible();
    await shell.goTo('Home');
    await expect(page.getByRole('region', { name: 'Needs attention' })).not.toContainText('locked-out');
  });
  await test.step('a job that no answer came for says so, and is sent again only after it is said that it may run twice', async () => {
    await accounts.switchTo('locked-out');
    await shell.goTo('Run');
    await run.choose('echoes');
    await run.write('{"input": {"text": "sent once"}}');
    remote.fault({ area: 'jobs', method: 'POST', path: /run$/, times: 1, as: 'lost' });
    await run.run();
    await run.expectState('No answer');
    await shell.goTo('Jobs');
    await page.getByRole('row', { name: /No answer .*echoes/ }).click();
    const job = page.getByRole('region', { name: 'Job', exact: true });
    await expect(job).toContainText('It is not known whether the service has this job');
    await expect(job).toContainText('No id: no answer arrived');
    await job.getByRole('button', { name: 'Send again…' }).click();
    const question = page.getByRole('dialog', { name: 'Send it to echoes again?' });
    await expect(question).toContainText('may run twice and cost twice as much');
    await expectNoFault(page, 'a job that is sent again', '[role=dialog]');
    await question.getByRole('button', { name: 'Send again' }).click();
    await expect(job.locator('[data-status=COMPLETED]').first()).toBeVisible();
    expect(remote.jobs.all()).toHaveLength(2);
  });
});

test('what an account lacks is said with the reason, never an empty pane', async ({
  page,
  shell,
  accounts,
  remote,
}) => {
  const key = remote.setKey('jobs');
  await shell.open('#/accounts');
  await accounts.add({ ...cloudV1(remote, 'jobs-only'), key });
  await expect(accounts.inspector.getByText('Checked')).toBeVisible();
  await expectNoFault(page, 'accounts', 'main');
  await accounts.switchTo('jobs-only');
  for (const title of ['Endpoints', 'Pods', 'GPU prices', 'Billing', 'Resources'] as const) {
    await shell.goTo(title);
    await expect(page.getByRole('main').getByText(/^jobs-only does not offer this/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Choose where it runs' })).toBeVisible();
  }
  await expectNoFault(page, 'a page that the account lacks');
  await shell.goTo('Settings');
  await page.getByRole('tab', { name: 'Keys' }).click();
  await expect(page.getByRole('heading', { name: 'API keys of this computer' })).toBeVisible();
  await expect(
    page.getByRole('table', { name: 'Account keys' }).getByRole('row', { name: /^jobs-only/ }),
  ).toContainText(`ends with ${key.slice(-4)}`);
  await expectNoFault(page, 'keys of a service', 'main');
});
