// Home and the settings against the built host: what a person finds before and after the first job, and where
// everything is kept.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { pino } from 'pino';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { createLedger } from '../../main/app/ledger/ledger.ts';
import { expectFocusIn } from './pages/focus.ts';
import { expectNoFault } from './support/handlers.ts';
import { expect, startHost, test as base, type Host } from './support/host.ts';

/** A host from which nothing was sent yet: the one of all tests may have seen others. */
const test = base.extend<{ fresh: Host }>({
  fresh: async ({}, use) => {
    const host = await startHost();
    await use(host);
    await host.stop();
  },
});

const machine = (page: Page) => page.getByRole('region', { name: 'This computer', exact: true });
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('home guides through the first steps, and tells of jobs and what needs a person once there are some', async ({
  page,
  shell,
  run,
  endpoints,
  fresh,
}) => {
  await page.goto(fresh.link);
  await shell.ready();
  await shell.goTo('Home');
  const tile = (name: string | RegExp) => card(page, 'Now').getByRole('link', { name });
  await expect(tile('0 running · 0 queued')).toBeVisible();
  await expect(card(page, 'Needs attention')).toContainText('Nothing needs your attention.');
  await expect(page.getByRole('main')).toContainText(/Memory.* of .* GB/s);
  await expect(tile(/no running Pods/)).toBeVisible();
  await expectNoFault(page, 'home, nothing sent', 'main');

  const steps = card(page, 'First steps');
  await steps.getByRole('button', { name: 'Run a sample' }).click();
  await run.choose('fail-halfway');
  await run.run();
  await run.expectState('Failed');
  await shell.goTo('Home');
  await expect(steps.getByRole('listitem').filter({ hasText: 'First job' })).toContainText(
    'Done. See it under Recent.',
  );
  await expect(card(page, 'Recent').getByRole('listitem')).toHaveText([/Failed.*fail-halfway/s]);
  await expect(tile(/1 job today, 1 failed/)).toBeVisible();
  await page.setViewportSize({ width: 420, height: 700 });
  await expect.poll(() => shell.sidewaysScroll()).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });

  const failure = card(page, 'Needs attention').getByRole('listitem').filter({ hasText: '1 failed' });
  await failure.getByRole('button', { name: /^Open: fail-halfway: OutOfMemoryError/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible();
  const job = page.getByRole('region', { name: 'Job', exact: true });
  await expect(job.getByRole('group', { name: 'Job error' }).locator('pre')).toBeVisible();
  await shell.goTo('Home');
  await failure.getByRole('button', { name: /^Dismiss: fail-halfway/ }).click();
  await expect(card(page, 'Needs attention')).toContainText('Nothing needs your attention.');
  await page.reload();
  await expect(card(page, 'Needs attention')).toContainText('Nothing needs your attention.');
  await steps.getByRole('button', { name: 'New handler' }).click();
  await expect(endpoints.sheet.getByRole('button', { name: 'Create the handler' })).toBeVisible();
});

test('this computer is paused from home and goes on from there', { tag: '@journey' }, async ({ page, shell }) => {
  await shell.open('#/home');
  const pause = machine(page).getByRole('button', { name: 'Pause' });
  // What comes above the card while the page loads may move the button from under the pointer.
  await expect(async () => {
    if (await pause.isVisible()) await pause.click({ timeout: 5000 });
    await expect(machine(page)).toContainText('Paused by you', { timeout: 5000 });
  }).toPass();
  await machine(page).getByRole('button', { name: 'Resume' }).click();
  await expect(machine(page).getByRole('button', { name: 'Pause' })).toBeVisible();
});

test(
  'rates and limits are saved as they are changed, and a refused one says why',
  { tag: '@journey' },
  async ({ page, shell, host }) => {
    await shell.open('#/settings/limits');
    const cancels = page.getByRole('textbox', { name: '/cancel, in 10 s' });
    await cancels.fill('120');
    await cancels.press('Enter');
    const settings = async () => {
      const answer = await fetch(`${host.api}/local/v1/settings`, {
        headers: { authorization: `Bearer ${host.apiKey}` },
      });
      return (await answer.json()) as {
        rates: { operations: Record<string, { requests: number }> };
      };
    };
    await expect.poll(async () => (await settings()).rates.operations['cancel']?.requests).toBe(120);
    await cancels.fill('0');
    await cancels.press('Enter');
    await expect(page.getByRole('row', { name: /^\/cancel/ })).toContainText(/From 1 to 10\s000\s000\./);
    await expect(cancels).toHaveValue('0');
    expect((await settings()).rates.operations['cancel']?.requests).toBe(120);
    await cancels.fill('100');
    await cancels.press('Enter');
    await expect.poll(async () => (await settings()).rates.operations['cancel']?.requests).toBe(100);
    await page.setViewportSize({ width: 640, height: 400 });
    await expect.poll(() => shell.sidewaysScroll()).toBe(0);
  },
);

test('the list of targets has this computer, and the settings tell where everything and its keys are kept', async ({
  page,
  shell,
  host,
}) => {
  await test.step('the list of targets opens by its keys and has this computer', async () => {
    await shell.open('#/run');
    await page.keyboard.press('ControlOrMeta+Shift+k');
    await expect(page.getByRole('menuitemradio', { name: /^This computer/ })).toBeChecked();
    await expectFocusIn(page.getByRole('menu'));
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
  });
  await test.step('the settings tell where everything is kept and how much it is', async () => {
    await page.keyboard.press('ControlOrMeta+,');
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
    await page.getByRole('tab', { name: 'Storage' }).click();
    const ledger = page.getByRole('row', { name: /^Record of jobs/ });
    await expect(ledger).toContainText(`${host.dataDir}/ledger.db`);
    await expect(ledger.getByRole('cell').last()).toHaveText(/\d (KB|MB)$/);
    await expect(ledger.getByRole('button', { name: 'Copy path of Record of jobs' })).toBeAttached();
    // One size, from the files, whoever tells it; jobs of other tests may still change it.
    const record = page.getByRole('region', { name: 'Record of jobs' });
    await expect(async () => {
      const size = (await ledger.getByRole('cell').last().textContent()) ?? '';
      await expect(record.getByText(size, { exact: true })).toBeVisible({ timeout: 1000 });
    }).toPass();
    expect(existsSync(`${host.dataDir}/ledger.db`)).toBe(true);
  });
  await test.step('keys are kept where the person says, and a passphrase that is too short is not taken', async () => {
    await page.getByRole('tab', { name: 'Keys' }).click();
    await expect(page.getByText('Where account keys are stored')).toBeVisible();
    const field = page.getByLabel('A passphrase for the file');
    await field.click();
    await page.keyboard.insertText('short');
    const store = page.getByRole('button', { name: 'Store in the file' });
    await expect(store).toBeDisabled();
    await expect(store).toHaveAccessibleDescription('Type at least 8 characters.');
    await page.keyboard.insertText(' is too short');
    await store.click();
    await expect(page.getByText(/^An encrypted file\./)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Another passphrase' })).toBeVisible();
    await expectNoFault(page, 'keys in a file', 'main');
    await page.getByRole('button', { name: 'Store in memory only' }).click();
    await expect(page.getByText(/^Memory\./)).toBeVisible();
  });
});

test('home counts all failed jobs of a day, however many there are', async ({ page, shell }) => {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-home-'));
  const file = join(folder, 'ledger.db');
  const ledger = createLedger(file, pino({ level: 'silent' }), 'test');
  const place = {
    accountId: THIS_MACHINE,
    accountName: 'This computer',
    mode: 'run',
  } as const;
  for (let job = 0; job < 1000; job += 1) {
    const endpointId = job < 600 ? 'upscale' : 'caption';
    const sentAt = Date.now() - job * 1000;
    ledger.add(
      {
        entryId: `j${job}`,
        ...place,
        endpointId,
        endpointName: endpointId,
        sentAt,
      },
      '{"input":{}}',
    );
    ledger.update(`j${job}`, {
      status: 'FAILED',
      error: `No file\n    at line ${job}`,
      finishedAt: sentAt,
    });
  }
  ledger.stop();
  const host = await startHost({ files: { 'ledger.db': readFileSync(file) } });
  rmSync(folder, { recursive: true });
  try {
    await page.goto(host.link);
    await shell.ready();
    await shell.goTo('Home');
    await expect(card(page, 'Needs attention').getByRole('listitem')).toHaveText([
      /600 failed.*upscale: No file/s,
      /400 failed.*caption: No file/s,
    ]);
  } finally {
    await host.stop();
  }
});
