// From the first start to the last process. The stand-in proves the app's own part; how each system draws a
// dialog or ends a utility process only real Electron shows. The end of an app that runs: streaming.spec.ts. A second
// start: links.spec.ts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { executablePath, expect, isStandin, onlyElectron, root, test } from './support/desktop.ts';
import { engineStarts, logged, processesOf } from './support/traces.ts';

const args = process.platform === 'linux' ? ['--no-sandbox', root, '--port=0'] : [root, '--port=0'];

test('a running Hangar survives the death of its engine, gives out a key, and quits with its window', async ({
  desktop,
  home,
}) => {
  await test.step('an engine that was killed is started again at the same address', async () => {
    const [first] = await engineStarts(home);
    await expect(desktop.page.getByText(new URL(first?.address ?? '').host)).toBeVisible();
    process.kill(first?.pid ?? 0, 'SIGKILL');
    const [, second] = await engineStarts(home, 2);
    expect(second?.address).toBe(first?.address);
    expect(second?.pid).not.toBe(first?.pid);
    const health = await fetch(`${second?.address}/health`);
    expect(await health.json()).toMatchObject({ name: 'hangar', ready: true });
  });
  await test.step('a new API key goes to the clipboard, works, and is not in the page', async () => {
    const engine = (await engineStarts(home, 2)).at(-1);
    await logged(home, 'started');
    await desktop.app.evaluate(({ dialog, Menu }) => {
      dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false });
      const item = Menu.getApplicationMenu()?.getMenuItemById('new-api-key');
      if (!item) throw new Error('the menu has no such item');
      item.click();
    });
    const copied = (): Promise<string> => desktop.app.evaluate(({ clipboard }) => clipboard.readText());
    await expect.poll(copied).toMatch(/^rpa_/);
    const key = await copied();
    const answer = await fetch(`${engine?.address}/v1/endpoints`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    expect(await desktop.page.content()).not.toContain(key);
  });
  // On macOS an app stays in the Dock without a window.
  if (process.platform === 'darwin') return;
  await test.step('closing the window quits the app', async () => {
    const exited = once(desktop.app.process(), 'exit');
    await desktop.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    expect(await exited).toEqual([0, null]);
    await expect.poll(() => processesOf(home)).toEqual([]);
  });
});

test('a data folder that a newer Hangar has written is told by a dialog, and quitting there leaves no process', async ({
  env,
  home,
  records,
}) => {
  test.skip(!isStandin, 'a dialog of real Electron waits for a person');
  mkdirSync(join(home, 'hangar'));
  const newer = new DatabaseSync(join(home, 'hangar/engine.db'));
  newer.exec('PRAGMA user_version = 1000');
  newer.close();
  const app = spawn(executablePath, args, { env, stdio: 'ignore' });
  expect(await once(app, 'exit')).toEqual([0, null]);
  await records.expect('dialog', /^Hangar could not start\./);
  await expect.poll(() => processesOf(home)).toEqual([]);
});

test.describe('on Electron', () => {
  test.skip(isStandin, onlyElectron);

  test('the engine is a utility process of its own', async ({ desktop, home }) => {
    const [engine] = await engineStarts(home);
    const metrics = await desktop.app.evaluate(({ app }) => app.getAppMetrics());
    expect(metrics.find(({ pid }) => pid === engine?.pid)?.type).toBe('Utility');
  });
});
