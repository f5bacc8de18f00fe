// The page about the computer against the built host: what it tells, its rules and looks. GPUs: gpus.spec.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Machine } from '#contract/local/machine.ts';
import type { Settings } from '#contract/local/settings.ts';
import { expectNoFault } from '../support/handlers.ts';
import { call, expect, test } from '../support/machineTest.ts';

test(
  'the page tells where the service is, how busy the computer is and what runs workers, and makes a key in one click',
  { tag: '@journey' },
  async ({ page, context, shell, machine, host }) => {
    await shell.open('#/machine');
    await expect(machine.service).toContainText(host.api);
    await expect(machine.service).toContainText(host.dataDir);
    await expect(machine.service).toContainText('This computer only');
    await expect(machine.service).toContainText(/GB free/);
    await expect(machine.load).toContainText(/Load\s*\d+ %/);
    await expect(machine.load).toContainText(/Memory of [\d.]+ .B/);
    await expect(
      machine.load.getByRole('img', {
        name: /^Load of the CPU in the last hour: \d/,
      }),
    ).toBeVisible();
    const { containers, gpuProblem, gpus } = await call<Machine>(host, 'GET', '/local/v1/machine');
    if (gpus.length === 0) {
      await expect(machine.load.getByRole('status')).toHaveAttribute('data-tone', 'off');
      await expect(machine.load).toContainText(gpuProblem ?? '');
      expect(gpuProblem).toMatch(/everything runs on the CPU/i);
    }
    await expect(machine.runtimes).toContainText('Node');
    // What installs one stands below, a line for each command.
    const [problem = ''] = (containers.problem ?? '').split('. ');
    await expect(machine.runtimes).toContainText(
      containers.available ? `${containers.name} ${containers.version}` : problem,
    );
    await test.step('one click creates a key named after the page, which works and is in the list of keys', async () => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      const [shown] = await Promise.all([
        context.waitForEvent('page'),
        machine.service.getByRole('button', { name: 'Create a key' }).click(),
      ]);
      const key = (await shown.locator('code.key').textContent()) ?? '';
      await expect(shown.getByText(/^Copied\. Paste it/)).toBeVisible();
      expect(await shown.evaluate(() => navigator.clipboard.readText())).toBe(key);
      await shown.close();
      await expect(machine.service).toContainText('The key "Page of this computer" is in the new tab');
      const answer = await fetch(`${host.api}/v1/endpoints`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(answer.status).toBe(200);
      await machine.service.getByRole('link', { name: 'All keys' }).click();
      const row = page.getByRole('table', { name: 'API keys' }).getByRole('row', { name: /^Page of this computer/ });
      await expect(row).toContainText(`ends with ${key.slice(-4)}`);
      await expect(row).toContainText('Send jobs');
    });
  },
);

test('this computer is paused for a time, from the palette, by a program and by its rules, on a page that all can use', async ({
  page,
  shell,
  machine,
  host,
}) => {
  await test.step('a pause for a time says until when', async () => {
    await shell.open('#/machine');
    await machine.pauseBy(/^For 30 minutes/);
    await expect(machine.banner).toContainText(/It ends at \d/);
    await machine.resumeButton.click();
    await machine.pauseBy(/^Until a time/);
    const form = machine.page.getByRole('dialog', { name: 'Pause until' });
    await form.getByLabel('Resume at').fill('04:05');
    await form.getByRole('button', { name: 'Pause until 04:05' }).click();
    await expect(machine.banner).toContainText(/It ends at 0?4:05/);
    await machine.resumeButton.click();
    await expect(machine.banner).toBeHidden();
  });
  await test.step('the palette pauses and resumes from anywhere', async () => {
    await shell.open('#/jobs');
    await shell.command('Pause this computer for 1 hour');
    await expect(shell.statusBar).toContainText(/Paused by you until \d/);
    await shell.command('Resume this computer');
    await shell.command('Pause this computer now');
    await expect(shell.statusBar).toContainText('Paused by you');
    await shell.command('Resume this computer');
    await expect(shell.statusBar).not.toContainText('Paused');
  });
  await test.step('a program that runs pauses by its rule, which is named and can be overruled', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hangar-game-'));
    const program = join(folder, 'hangar-game');
    copyFileSync('/bin/sleep', program);
    const game = spawn(program, ['600'], { stdio: 'ignore' });
    try {
      await shell.open('#/machine');
      const programs = machine.rules.getByRole('combobox', {
        name: 'Pause while any of these programs is running',
      });
      await programs.fill('hangar-game');
      await programs.press('Enter');
      await expect(machine.banner).toContainText('hangar-game');
      await expect(machine.rules).toContainText('Active: this rule paused the machine');
      await expect(machine.resumeButton).toHaveText('Resume anyway');
      await machine.resumeButton.click();
      await expect(machine.banner).toBeHidden();
      await expect(machine.rules).toContainText('Active, but overridden until it ends');
    } finally {
      const ended = once(game, 'close');
      game.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    }
  });
  await test.step('rules are saved as they are changed, and a refused value says why at its field', async () => {
    const rules = async () => (await call<Settings>(host, 'GET', '/local/v1/settings')).machine.rules;
    await shell.open('#/machine');
    await machine.switchRule('Pause on battery', true);
    await expect.poll(rules).toMatchObject({ battery: true, quietHours: null });
    await machine.switchRule('Quiet hours', true);
    await machine.rules.getByLabel('Quiet hours from').fill('03:15');
    await machine.rules.getByLabel('Quiet hours to').fill('03:20');
    await machine.rules.getByLabel('Quiet hours to').blur();
    await expect.poll(rules).toMatchObject({ quietHours: { from: '03:15', to: '03:20' } });
    const load = 'Pause if other programs use more of a GPU than';
    await machine.switchRule(load, true);
    const amount = machine.rules.getByRole('textbox', { name: `${load}, %` });
    await amount.fill('500');
    await amount.press('Enter');
    await expect(machine.rules.getByRole('alert')).toHaveText('From 1 to 100.');
    await expect.poll(rules).toMatchObject({ othersGpuPercent: 30 });
    await amount.fill('45');
    await amount.press('Enter');
    await expect.poll(rules).toMatchObject({ othersGpuPercent: 45 });
    await expect(machine.rules.getByRole('alert')).toBeHidden();
    await machine.rules.getByRole('radiogroup').getByText('Paused').click();
    await expect
      .poll(async () => (await call<Settings>(host, 'GET', '/local/v1/settings')).machine.onStart)
      .toBe('paused');
  });
  await test.step('in a small window nothing scrolls sideways', async () => {
    await shell.open('#/machine');
    await expect(machine.load).toContainText(/Load\s*\d+ %/);
    const body = page.getByRole('region', { name: /^About/ });
    for (const viewport of [
      { width: 900, height: 600 },
      { width: 640, height: 400 },
    ]) {
      await page.setViewportSize(viewport);
      await expect.poll(() => shell.sidewaysScroll(), `at ${viewport.width}`).toBe(0);
      await expect.poll(() => body.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      await machine.rules.getByText('When Hangar starts').scrollIntoViewIfNeeded();
      await expect(machine.rules.getByText('When Hangar starts')).toBeInViewport();
    }
    await page.setViewportSize({ width: 420, height: 800 });
    // The box of a label may be narrower than its words.
    const wordsEnd = () =>
      page.getByText('Quiet hours', { exact: true }).evaluate((label) => {
        const words = document.createRange();
        words.selectNodeContents(label);
        const { right, bottom } = words.getBoundingClientRect();
        return { right, bottom };
      });
    const isCovered = async () => {
      const [words, from] = [await wordsEnd(), await page.getByLabel('Quiet hours from').boundingBox()];
      return from !== null && words.right > from.x && words.bottom > from.y + 2;
    };
    await expect.poll(isCovered, 'the times lie over their label').toBe(false);
    await page.setViewportSize({ width: 1280, height: 720 });
  });
  await test.step('axe finds nothing on the page with its rules while it is paused', async () => {
    await shell.open('#/machine');
    await expect(machine.load).toContainText(/Load\s*\d+ %/);
    await call(host, 'POST', '/local/v1/pause', { when: 'now' });
    await expect(machine.banner).toBeVisible();
    await expectNoFault(page, 'paused', 'main');
  });
});
