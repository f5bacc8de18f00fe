// The prices of a cloud account over days, and an alert about one of them that goes off.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/http/freePort.ts';
import { expectNoFault } from '../support/handlers.ts';
import { expect, startHost } from '../support/host.ts';
import { mainSwitch, recordNotices, shownIn } from '../support/notices.ts';
import { cloudV1, test } from '../support/remoteTest.ts';

const DAY_MS = 86_400_000;
const GPU = 'NVIDIA GeForce RTX 4090';

test('an alert goes off when the price falls: a notification, Home and the list say so; the prices of the days before are kept', async ({
  page,
  context,
  shell,
  accounts,
  remote,
}) => {
  const home = await mkdtemp(join(tmpdir(), 'hangar-e2e-prices-'));
  await using _home = { [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true, maxRetries: 5 }) };
  const port = String(await freePort());
  const type = remote.account.gpus.find(({ id }) => id === GPU)!;
  /** A host on the same data, whose clock is so many days ahead. */
  const startAfter = (days: number) =>
    startHost({
      home,
      flags: ['--ui-port', port],
      env: {
        HANGAR_KEYS: 'file',
        HANGAR_PASSPHRASE: 'a passphrase of the test',
        NODE_OPTIONS: `--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+${days * DAY_MS}`,
      },
    });
  const row = page.getByRole('table', { name: 'GPU types' }).getByRole('row', { name: /RTX 4090/ });
  const alerts = page.getByRole('region', { name: 'Alerts' });
  await recordNotices(context);
  type.secure = 0.74;
  type.stock = 'LOW';

  {
    await using host = disposable(await startAfter(0));
    await page.goto(host.link);
    await shell.ready();
    await shell.goTo('Accounts');
    await accounts.add(cloudV1(remote, 'prices-cloud'));
    await accounts.switchTo('prices-cloud');
    await shell.goTo('GPU prices');
    await test.step('a click anywhere in a row opens the details, with the button for an alert', async () => {
      await row.click();
      const details = page.getByRole('dialog', { name: 'RTX 4090' });
      await expect(details.getByText('165 TFLOPS')).toBeVisible();
      await details.getByRole('button', { name: 'Alert me…' }).click();
    });
    const form = page.getByRole('dialog', { name: 'Alert for RTX 4090 on prices-cloud' });
    await form.getByLabel('US dollars per hour for one GPU').fill('0.5');
    await form.getByRole('button', { name: 'Save the alert' }).click();
    await expect(alerts).toContainText(/waiting.*at most \$0\.50\/h.*Costs \$0\.74 now/s);
    await shell.goTo('Settings');
    await mainSwitch(page).press('Space');
    await expect(mainSwitch(page)).toBeChecked();
  }

  // Before the start: the host may ask at once, and then not for minutes.
  type.secure = 0.45;
  type.stock = 'HIGH';
  // At the same address, so the page that is open goes on by itself.
  await using _host = disposable(await startAfter(2));
  await shell.goTo('GPU prices');
  await expect(row).toContainText('$0.45');
  await expect(alerts).toContainText(/met.*Costs \$0\.45, met since/s);
  await expect.poll(() => shownIn(page)).toEqual(['RTX 4090 costs at most $0.50 per hour on prices-cloud']);
  await expectNoFault(page, 'an alert that is met', 'main');

  await row.getByRole('button', { name: 'RTX 4090', exact: true }).click();
  const details = page.getByRole('dialog', { name: 'RTX 4090' });
  await details.getByText('7 days', { exact: true }).click();
  await expect(details.getByText('$0.45 to $0.74')).toBeVisible();
  await page.keyboard.press('Escape');

  await shell.goTo('Home');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(attention).toContainText(/RTX 4090 costs \$0\.45\/h on prices-cloud.*At most \$0\.50/s);
  await attention.getByRole('button', { name: /^Open: RTX 4090 costs/ }).click();
  await alerts.getByRole('button', { name: /^(Delete|Remove)/ }).click();
  await expect(alerts).toBeHidden();
});

const disposable = <T extends { stop: () => Promise<void> }>(host: T): T & AsyncDisposable =>
  Object.assign(host, { [Symbol.asyncDispose]: host.stop });
