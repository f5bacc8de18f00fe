// A terminal into a Pod of a remote account: the built host, the remote service on loopback, and a real sshd as the Pod's.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { limits } from '#contract/core/limits.ts';
import type { Page } from '@playwright/test';
import type { AccountsPage } from '../pages/accountsPage.ts';
import type { Shell } from '../pages/shell.ts';
import { openTab } from '../pages/tabs.ts';
import { makeKey, startSshd, type TestSshd } from '../../support/ssh/sshd.ts';
import { expectNoFault } from '../support/handlers.ts';
import { expect } from '../support/host.ts';
import { cloudV1, test as base } from '../support/remoteTest.ts';
import { beginShell, screen as screenOf, startOwnHost, type as typeInto } from '../support/terminalText.ts';

const WRITTEN_AT = new Date('2026-01-02T03:04:05Z');

const test = base.extend<{ sshd: TestSshd }>({
  sshd: async ({}, use) => {
    await using sshd = await startSshd();
    await use(sshd);
  },
});

/** With the account "cloud", which has no terminal yet, and this computer as the target; leaves two terminals there. */
async function stayInReach(page: Page, shell: Shell, accounts: AccountsPage): Promise<void> {
  await shell.goTo('Terminals');
  await beginShell(page);
  await typeInto(page, 0, 'echo here-$((1+1))');
  await expect(screenOf(page, 0)).toContainText('here-2');
  await accounts.switchTo('cloud');
  await shell.goTo('Terminals');
  const tabs = page.getByRole('tablist', { name: 'Terminals' }).getByRole('tab');
  await expect(page.getByRole('button', { name: 'Open one on this computer' })).toBeVisible();
  await expect(tabs).toHaveCount(0);
  await page.setViewportSize({ width: 420, height: 800 });
  await expect.poll(() => shell.sidewaysScroll()).toBe(0);
  await page.setViewportSize({ width: 1280, height: 720 });
  await expectNoFault(page, 'the terminals of another target', 'main');
  await page.getByRole('button', { name: '1 on this computer' }).click();
  await expect(shell.target).toHaveAccessibleName(/^Target: This computer/);
  await expect(screenOf(page, 0)).toContainText('here-2');

  await accounts.switchTo('cloud');
  await shell.goTo('Terminals');
  await page.getByRole('button', { name: 'New terminal' }).click();
  await page.getByRole('menuitem', { name: 'This computer (changes the target)' }).click();
  await expect(shell.target).toHaveAccessibleName(/^Target: This computer/);
  await expect(tabs).toHaveCount(2);
  await typeInto(page, 1, 'echo next-$((1+1))');
  await expect(screenOf(page, 1)).toContainText('next-2');
}

test('terminals of this computer stay in reach while an account is the target; one into a Pod asks about its host key, comes back after a cut, has its files beside it, and would end with its account', async ({
  page,
  shell,
  accounts,
  remote,
  sshd,
}) => {
  test.skip(userInfo().uid !== 0, 'the service tells of root alone, whom only root’s own sshd lets in');
  // A host of its own: what it is told of keys and accounts is nothing to the others.
  await using host = await startOwnHost();
  const mine = await makeKey(sshd.folder, 'mine');
  await sshd.authorize(mine);
  const folder = await mkdtemp(join(tmpdir(), 'hangar-pod-'));
  await writeFile(join(folder, 'weights.bin'), 'x'.repeat(2048));

  await page.goto(host.link);
  await shell.ready();
  await shell.goTo('Accounts');
  await accounts.add(cloudV1(remote, 'cloud'));
  await test.step('the terminals of this computer stay in reach while an account is the target', () =>
    stayInReach(page, shell, accounts));
  remote.addPod({
    name: 'trainer',
    ports: ['22/tcp'],
    volumeMountPath: folder,
    ssh: { host: '127.0.0.1', port: sshd.port },
  });

  // The key that the Pod knows.
  await shell.goTo('Settings');
  await page.getByRole('tab', { name: 'SSH' }).click();
  const settings = page.getByRole('region', { name: 'Settings' });
  await settings.getByText('File', { exact: true }).click();
  await settings.getByRole('button', { name: 'Choose a file…' }).click();
  const files = page.getByRole('dialog', { name: 'Choose a file of this computer' });
  await files.getByRole('textbox', { name: 'Path' }).fill(mine.path);
  await files.getByRole('button', { name: 'Choose this file' }).click();
  await expect(settings.getByRole('textbox', { name: 'Key file' })).toHaveValue(mine.path);
  await settings.getByRole('button', { name: 'Use it' }).click();
  await expect(settings.getByText(mine.fingerprint)).toBeVisible();
  const tmux = settings.getByRole('switch', { name: /tmux/ });
  await tmux.click();
  await expect(tmux).not.toBeChecked();
  await expectNoFault(page, 'settings of SSH', 'main');

  await accounts.switchTo('cloud');
  await shell.goTo('Pods');
  await page.getByRole('row', { name: /trainer/ }).click();
  const pod = page.getByRole('region', { name: 'Pod', exact: true });
  await expect(pod.getByText(`ssh root@127.0.0.1 -p ${sshd.port}`)).toBeVisible();
  await expect(pod.getByRole('button', { name: 'Copy SSH command, direct' })).toBeVisible();
  await pod.getByRole('button', { name: 'Terminal' }).click();

  const pane = page.getByRole('region', { name: /^Terminal 1 in trainer/ });
  await expect(pane.getByText(sshd.hostKey().fingerprint)).toBeVisible();
  await expectNoFault(page, 'the question about a host key', 'main');
  await pane.getByRole('button', { name: 'Trust it and connect' }).click();
  // Until the answer is sent, what is typed is not for the shell.
  await expect(pane.getByRole('button', { name: 'Trust it and connect' })).toBeHidden();
  const screen = pane.locator('.xterm-rows');
  const type = async (line: string): Promise<void> => {
    await pane.locator('.xterm-screen').click();
    await page.keyboard.insertText(line);
    await page.keyboard.press('Enter');
  };
  await type('echo before-$((6 * 7))');
  await expect(screen).toContainText('before-42');

  sshd.cut();
  await expect(screen).toContainText('This is a new shell');
  await expect(screen).toContainText('before-42');
  await type('echo after-$((6 * 7))');
  await expect(screen).toContainText('after-42');

  await shell.goTo('Pods');
  await page.getByRole('row', { name: /trainer/ }).click();
  await openTab(pod, 'Terminal');
  const beside = pod.getByRole('region', { name: 'Terminal in trainer' });
  await expect(beside.locator('.xterm-rows')).toContainText('after-42');
  await openTab(pod, 'Files');
  await expect(pod.getByRole('row', { name: /weights\.bin/ })).toContainText('2');

  // The file on this computer is cut in the middle of its way up.
  const bytes = randomBytes(32 * limits.page.pieceBytes);
  const source = join(host.dataDir, 'model.bin');
  await writeFile(source, bytes);
  await utimes(source, WRITTEN_AT, WRITTEN_AT);
  const hold = sshd.holdAfter(3 * limits.page.pieceBytes);
  await pod.getByLabel('Files to upload').setInputFiles(source);
  const goOn = await hold;
  await truncate(source, 5);
  goOn();
  await expect(pod.getByRole('list', { name: 'Transfers' })).toContainText('changed or removed after it was chosen');
  const broken = pod.getByRole('list', { name: 'Interrupted uploads' });
  await expect(broken).toContainText(/\d MB of 32 MB are in the Pod\. Choose the same file again/);
  await expectNoFault(page, 'files of a Pod and an upload that was broken off', '[aria-label=Pod]');
  // Nothing of the page is left, as after a restart; the file is chosen again, another one first.
  await page.reload();
  await shell.goTo('Pods');
  await page.getByRole('row', { name: /trainer/ }).click();
  await openTab(pod, 'Files');
  const other = join(host.dataDir, 'other.bin');
  await writeFile(other, 'another');
  await broken.getByLabel('File to continue model.bin').setInputFiles(other);
  await expect(pod.getByRole('button', { name: 'Start over' })).toBeVisible();
  await pod.getByRole('button', { name: 'Forget model.bin' }).click();
  await writeFile(source, bytes);
  await utimes(source, WRITTEN_AT, WRITTEN_AT);
  await broken.getByLabel('File to continue model.bin').setInputFiles(source);
  await expect(pod.getByRole('list', { name: 'Transfers' })).toContainText('Done');
  await expect(broken).toBeHidden();
  expect((await readFile(join(folder, 'model.bin'))).equals(bytes)).toBe(true);
  await rm(folder, { recursive: true, force: true });

  await shell.goTo('Accounts');
  await accounts.list.getByRole('row', { name: /^cloud/ }).click();
  await accounts.inspector.getByRole('button', { name: 'Remove…' }).click();
  const question = page.getByRole('dialog', { name: 'Remove cloud' });
  await expect(question).toContainText('1 terminal over SSH is closed, and everything that runs in it stops.');
});
