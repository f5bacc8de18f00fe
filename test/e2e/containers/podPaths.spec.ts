// Paths in the output of a Pod's terminal, against the built host and a real container engine.
import { text } from 'node:stream/consumers';
import type { Pod } from '#contract/api/pod.ts';
import { call, expectNoFault } from '../support/handlers.ts';
import { expect, SHELL_IMAGE, test } from './containerHost.ts';
import { middleOf, pointAt } from '../support/terminalText.ts';

test('a path that a Pod writes opens in its tab Files, in its volume and on the disk of its container', async ({
  page,
  shell,
  pods,
  host,
}) => {
  const pod = await call<Pod>(host, 'POST', '/v1/pods', {
    name: 'writer',
    imageName: SHELL_IMAGE,
    computeType: 'CPU',
    volumeInGb: 1,
    volumeMountPath: '/workspace',
    dockerStartCmd: [
      '/bin/sh',
      '-c',
      'mkdir -p /workspace/src; echo first line > /workspace/src/main.py; trap "exit 0" TERM; while :; do sleep 0.2; done',
    ],
  });
  await shell.open(`#/pods/${pod.id}/terminal`);
  const terminal = pods.inspector.getByRole('region', { name: 'Terminal in writer' });
  const rows = terminal.locator('.xterm-rows');
  const type = async (line: string): Promise<void> => {
    await terminal.locator('.xterm-screen').click();
    await page.keyboard.insertText(line);
    await page.keyboard.press('Enter');
  };
  const hint = terminal.getByText(/^Ctrl\+click/);
  const point = (text: string, says: string) => pointAt(page, { rows, hint }, text, says);
  await type(
    `clear; touch /etc/here; echo '/etc/here'; echo 'File "/workspace/src/main.py", line 1'; echo src/main.py:1`,
  );
  await expect(rows).toContainText('src/main.py:1');
  await point('workspace/src/main.py', 'Ctrl+click shows /workspace/src/main.py in Files');
  await expectNoFault(page, 'the hint of a path', '[aria-label=Pod]');
  await point('/etc/here', 'Ctrl+click shows /etc/here in Files');
  const relative = await middleOf(rows, 'src/main.py:1');
  await page.mouse.move(relative.x, relative.y);
  await expect(hint).toBeHidden();
  // The shell tells where it is.
  await type(`cd /workspace; printf '\\033]7;file://pod/workspace\\007'; echo src/main.py:12`);
  await expect(rows).toContainText('src/main.py:12');
  await point('src/main.py:12', 'Ctrl+click shows /workspace/src/main.py in Files');
  const follow = async (): Promise<void> => {
    await page.keyboard.down('Control');
    await page.mouse.down();
    await page.mouse.up();
    await page.keyboard.up('Control');
  };
  await follow();
  const file = page.getByRole('dialog', { name: 'main.py' });
  await expect(file).toContainText('first line');
  await file.getByRole('button', { name: 'Close main.py' }).click();
  await expect(file).toBeHidden();
  await expect(pods.inspector.getByRole('button', { name: 'main.py', exact: true })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`#/pods/${pod.id}/files$`));

  // What is outside of its volume is on the disk of its container.
  const files = pods.inspector.getByRole('tabpanel', { name: 'Files' });
  await pods.tab('Terminal');
  await type(`clear; echo '/etc/hostname'`);
  await expect(rows).not.toContainText('main.py');
  await point('/etc/hostname', 'Ctrl+click shows /etc/hostname in Files');
  await follow();
  await page.getByRole('dialog', { name: 'hostname' }).getByRole('button', { name: 'Close hostname' }).click();
  await expect(files.getByText(/What is not in \/workspace, its volume, is lost when the Pod is reset/)).toBeVisible();
  await expect(files.getByRole('button', { name: 'here', exact: true })).toBeVisible();
  const sent = { name: 'sent it.txt', mimeType: 'text/plain', buffer: Buffer.from('sent from the page') };
  await files.getByLabel('Files to upload').setInputFiles(sent);
  await files.getByRole('button', { name: 'sent it.txt', exact: true }).click();
  const sentFile = page.getByRole('dialog', { name: 'sent it.txt' });
  await expect(sentFile).toContainText('sent from the page');
  await expectNoFault(page, 'a file on the disk of a container');
  const saving = page.waitForEvent('download');
  await sentFile.getByRole('button', { name: 'Download' }).click();
  expect(await text(await (await saving).createReadStream())).toBe('sent from the page');
  await sentFile.getByRole('button', { name: 'Close sent it.txt' }).click();
});
