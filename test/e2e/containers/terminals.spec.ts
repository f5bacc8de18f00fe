// The Terminals page against the built host and a real container engine: opened, split, searched, copied from, found again.
import type { Page } from '@playwright/test';
import type { Pod } from '#contract/pod.ts';
import type { TerminalSession } from '#contract/terminal.ts';
import { startContainerEngine, whyNoContainers } from '../../support/containerEngine.ts';
import { makeShellImage } from '../../support/containerImages.ts';
import { call, expectNoFault } from '../support/handlers.ts';
import { expect, startHost, test } from '../support/host.ts';

const noContainers = whyNoContainers();
const STAYS = ['/bin/sh', '-c', "trap 'exit 0' TERM; while :; do sleep 0.2; done"];

const terminals = (page: Page) => page.getByRole('region', { name: /^Terminal \d in shelled$/ });
const screen = (page: Page, index: number) => terminals(page).nth(index).locator('.xterm-rows');

async function type(page: Page, index: number, line: string): Promise<void> {
  await terminals(page).nth(index).locator('.xterm-screen').click();
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
}

test('two terminals into a Pod are opened, split, found again after a reload, searched, copied from and closed', async ({
  page,
  context,
  shell,
  pods,
}) => {
  test.skip(noContainers !== null, noContainers ?? '');
  test.slow(true, 'a container engine of its own is started');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await using containers = await startContainerEngine();
  await makeShellImage(containers.docker, 'hangar-shelled:1');
  const host = await startHost({ dockerHost: containers.host });
  let cut = async (): Promise<void> => undefined;
  await page.routeWebSocket(/\/rpc$/, (socket) => {
    const server = socket.connectToServer();
    cut = async () => {
      await server.close();
      await socket.close({ code: 4000 });
    };
  });
  try {
    await page.goto(host.link);
    await shell.ready();
    await shell.goTo('Terminals');
    await expect(page.getByText('Nothing to open a terminal into')).toBeVisible();
    await expectNoFault(page, 'empty');
    const pod = { imageName: 'hangar-shelled:1', name: 'shelled', dockerStartCmd: STAYS, gpuCount: 0, ports: [] };
    const { id } = await call<Pod>(host, 'POST', '/v1/pods', pod);
    const open = async (): Promise<TerminalSession[]> => call<TerminalSession[]>(host, 'GET', '/local/v1/terminals');

    await shell.goTo('Pods');
    await pods.open('shelled');
    await expect(pods.state).toHaveText('Running', { timeout: 30_000 });
    await pods.inspector.getByRole('button', { name: 'Terminal', exact: true }).click();
    await expect(terminals(page)).toHaveCount(1);
    await type(page, 0, 'echo first-$((40+2))');
    await expect(screen(page, 0)).toContainText('first-42');
    await page.getByRole('button', { name: 'Split, beside' }).click();
    await expect(terminals(page)).toHaveCount(2);
    await type(page, 1, 'top -d 1');
    await expect(screen(page, 1)).toContainText('COMMAND');
    await expectNoFault(page, 'two terminals');

    await page.reload();
    await shell.ready();
    await expect(terminals(page)).toHaveCount(2);
    await expect(screen(page, 0)).toContainText('first-42');
    await expect(screen(page, 1)).toContainText('COMMAND');
    expect((await open()).map(({ targetId }) => targetId)).toEqual([id, id]);
    await terminals(page).nth(1).locator('.xterm-screen').click();
    await page.keyboard.press('Control+c');
    await type(page, 1, 'echo top-has-$((1+0))-ended');
    await expect(screen(page, 1)).toContainText('top-has-1-ended');

    await type(page, 1, 'seq 1 100000; echo counted-$((1+1))');
    await expect(screen(page, 1)).toContainText('100000counted-2', { timeout: 30_000 });
    await type(page, 1, 'while :; do echo flood; done');
    await expect(screen(page, 1)).toContainText('floodfloodflood');
    await page.keyboard.press('Control+c');
    await type(page, 1, 'echo calm-$((1+2))');
    await expect(screen(page, 1)).toContainText('calm-3', { timeout: 20_000 });

    await cut();
    await expect(terminals(page).nth(0).getByRole('status')).toContainText('Connection lost.');
    await expect(terminals(page).nth(0).getByRole('status')).toBeHidden();
    await type(page, 0, 'echo back-$((1+3))');
    await expect(screen(page, 0)).toContainText(/first-42.*back-4/);
    expect(await open()).toHaveLength(2);

    await terminals(page).nth(0).locator('.xterm-screen').click();
    await page.keyboard.press('ControlOrMeta+Shift+f');
    const find = terminals(page).nth(0).getByRole('textbox', { name: 'Find in the terminal' });
    await find.fill('first-42');
    await expect(terminals(page).nth(0).getByRole('search')).toContainText('1 of 1');
    await expectNoFault(page, 'searching', 'main');
    await page.keyboard.press('Escape');
    await expect(find).toBeHidden();
    await page.keyboard.press('Control+Shift+c');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('first-42');

    await page.setViewportSize({ width: 640, height: 480 });
    await expect.poll(() => shell.sidewaysScroll()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 720 });

    await type(page, 0, 'exit 3');
    await expect(terminals(page).nth(0).getByRole('status')).toContainText('The shell has ended with exit code 3.');
    await terminals(page).nth(0).getByRole('button', { name: 'Close' }).click();
    await expect(terminals(page)).toHaveCount(1);
    await page.getByRole('button', { name: 'Close the terminal and end its shell' }).click();
    await expect(page.getByText('No terminal is open')).toBeVisible();
    await expect.poll(open).toEqual([]);
    await expectNoFault(page, 'no terminal', 'main');
  } finally {
    await host.stop();
  }
});
