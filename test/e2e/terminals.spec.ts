// The page of terminals against the built host where nothing can run a container: shells of this computer, and its ssh.
// Shells in real Pods are in containers/.
import { existsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import type { Shell } from './pages/shell.ts';
import { makeKey, startSshd } from '../support/ssh/sshd.ts';
import { makeSshHome } from '../support/ssh/sshHome.ts';
import { expectFocusIn } from './pages/focus.ts';
import { expectNoFault } from './support/handlers.ts';
import { expect, startHost, test } from './support/host.ts';
import {
  beginShell,
  middleOf,
  openTerminal,
  pane,
  pointAt,
  screen,
  startOwnHost,
  type,
} from './support/terminalText.ts';

/** A shell waits at the end of what is shown. */
const PROMPT = /[#$]\s*$/;

test(
  'a shell of this computer stays over a reload, asks before it ends a program, and says how it ended',
  { tag: '@journey' },
  async ({ page, shell }) => {
    // A host of its own: its sessions would appear on the pages of other tests.
    await using host = await startOwnHost();
    await page.goto(host.link);
    await shell.ready();
    await shell.goTo('Terminals');
    await expect(page.getByText('Terminals also open in Pods')).toBeVisible();
    await beginShell(page);
    await type(page, 0, 'echo first-$((40+2)); stty size');
    await expect(screen(page, 0)).toContainText(/first-42\d+ \d+/);
    await expectNoFault(page, 'a terminal of this computer', 'main');

    await page.reload();
    await shell.ready();
    await expect(screen(page, 0)).toContainText('first-42');
    await type(page, 0, 'cd /usr && echo moved-$((1+1))');
    await expect(screen(page, 0)).toContainText('moved-2');
    await page.getByRole('button', { name: 'Split side by side' }).click();
    await type(page, 1, 'echo "<$PWD>"');
    await expect(screen(page, 1)).toContainText('</usr>');
    await page.keyboard.press('Control+Shift+Z');
    await expect(pane(page, 0)).toBeHidden();
    await expect(page.getByText('1 pane of the tab is hidden')).toBeVisible();
    await expect(page.getByRole('tab', { selected: true })).toContainText('1 of 2');
    // The shell is told of its new size soon after it has one.
    const expectWide = (answer: 'wide-1' | 'wide-0') =>
      expect(async () => {
        await type(page, 1, 'echo wide-$(($(stty size | cut -d " " -f 2) > 100))');
        await expect(screen(page, 1)).toContainText(answer, { timeout: 1000 });
      }).toPass();
    await expectWide('wide-1');
    await page.setViewportSize({ width: 420, height: 800 });
    await expect.poll(() => shell.sidewaysScroll()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole('button', { name: 'Show all panes' }).click();
    await expect(pane(page, 0)).toBeVisible();
    await expectWide('wide-0');
    // Written by the program itself, so that it runs once this is shown.
    const begun = join(host.dataDir, 'begun');
    await writeFile(begun, 'begun-3');
    await type(page, 1, `tail -f '${begun}'`);
    await expect(screen(page, 1)).toContainText('begun-3');
    await page.getByRole('button', { name: 'Close the terminal and end its shell' }).click();
    const question = page.getByRole('dialog', { name: 'Close the shell of this computer?' });
    await expect(question).toContainText(`tail -f ${begun}`);
    await question.getByRole('button', { name: 'Cancel' }).click();
    await pane(page, 1).locator('.xterm-screen').click();
    await page.keyboard.press('Control+c');
    await type(page, 1, 'exit 3');
    await expect(pane(page, 1).getByRole('status')).toContainText('The shell exited with code 3.');
    await page.keyboard.press('Enter');
    await type(page, 1, 'echo next-$((1+1))');
    await expect(screen(page, 1)).toContainText(/exit 3.*next-2/);
    await page.setViewportSize({ width: 420, height: 800 });
    await expect.poll(() => shell.sidewaysScroll()).toBe(0);
  },
);

interface Parts {
  page: Page;
  context: BrowserContext;
  shell: Shell;
}

async function copyPaths({ page, context, shell }: Parts, origin: string): Promise<void> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  const folder = await mkdtemp(join(tmpdir(), 'hangar paths-'));
  await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'src/main.c'), 'int main;');
  await writeFile(join(folder, 'kept notes.txt'), 'kept');
  const rows = screen(page, 0);
  const hint = pane(page, 0).getByText(/^Ctrl\+click/);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const notices = await shell.watchNotices();
  await type(
    page,
    0,
    `cd '${folder}' && clear && printf '\\033]7;file://localhost%s\\007' "\${PWD// /%20}"; echo ready-$((1+1))`,
  );
  await expect(rows).toContainText('ready-2');
  await type(
    page,
    0,
    `printf 'src/main.%s:12:3: error\\nsrc/gone.%s:1: error\\n' c c; echo "'kept notes.txt' $PWD/src"`,
  );
  await expect(rows).toContainText('src/gone.c:1: error');

  const point = await pointAt(page, { rows, hint }, 'src/main.c:12:3', `Ctrl+click copies ${folder}/src/main.c`);
  await expectNoFault(page, 'the hint of a path', 'main');
  await page.mouse.click(point.x, point.y);
  await expect(page.getByText('Path copied')).toHaveCount(0);
  await page.keyboard.down('Control');
  await page.mouse.click(point.x, point.y);
  await page.keyboard.up('Control');
  await expect.poll(notices).toContainEqual(expect.stringContaining('Path copied'));
  expect(await copied()).toBe(`${folder}/src/main.c`);

  const gone = await middleOf(rows, 'src/gone.c:1');
  await page.mouse.move(gone.x, gone.y);
  await expect(hint).toBeHidden();
  await pointAt(page, { rows, hint }, 'kept notes.txt', `Ctrl+click copies ${folder}/kept notes.txt`);
  // In a narrow terminal the path goes on in the next row.
  await page.setViewportSize({ width: 420, height: 800 });
  await type(page, 0, `echo "see the file '$PWD/src/main.c'"; echo wrapped-$((1+1))`);
  await expect(rows).toContainText('wrapped-2');
  await pointAt(page, { rows, hint }, 'ain.c', `Ctrl+click copies ${folder}/src/main.c`);
  await page.setViewportSize({ width: 1280, height: 720 });
}

/** A red square of 60 pixels, as a PNG. */
const RED_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAADwAAAA8CAIAAAC1nk4lAAAASklEQVR42u3OQQkAAAgEsEvi2/55DGMLQRgswDLV70RaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpaWlpa+sICtorvAoi6VIUAAAAASUVORK5CYII=';

/** Leaves the terminal and one beside it. */
async function useLinksAndPictures({ page, context, shell }: Parts): Promise<void> {
  await context.route('https://docs.example/**', (route) =>
    route.fulfill({ contentType: 'text/plain', body: 'the manual' }),
  );
  const rows = screen(page, 0);

  await test.step('a link of OSC 8 says where it leads, and opens there by Ctrl and a click', async () => {
    const hint = pane(page, 0).getByText(/^Ctrl\+click/);
    const link = (address: string, text: string) => `\\033]8;;${address}\\033\\\\${text}\\033]8;;\\033\\\\\\n`;
    await type(page, 0, `clear; printf '${link('https://docs.example/a?b=1', 'the-man%s')}' ual`);
    await type(page, 0, `printf '${link('javascript:document.title=1', 'a-scr%s')}' ipt`);
    await expect(rows).toContainText('a-script');
    const point = await pointAt(page, { rows, hint }, 'the-manual', 'Ctrl+click opens https://docs.example/a?b=1');
    const before = context.pages();
    await page.mouse.click(point.x, point.y);
    expect(context.pages()).toEqual(before);
    await page.keyboard.down('Control');
    const [opened] = await Promise.all([context.waitForEvent('page'), page.mouse.click(point.x, point.y)]);
    await expect(opened.getByText('the manual')).toBeVisible();
    expect(opened.url()).toBe('https://docs.example/a?b=1');
    expect(await opened.evaluate(() => window.opener === null)).toBe(true);
    await opened.close();
    const script = await middleOf(rows, 'a-script');
    await page.mouse.move(script.x, script.y);
    await expect(hint).toBeHidden();
    await page.mouse.click(script.x, script.y);
    await page.keyboard.up('Control');
    await expect(page).not.toHaveTitle('1');
  });

  await test.step('an inline image of iTerm2 is drawn', async () => {
    const size = Buffer.from(RED_PNG, 'base64').length;
    await type(page, 0, `printf '\\033]1337;File=inline=1;size=${size}:${RED_PNG}\\a\\n'; echo drawn-$((1+1))`);
    await expect(rows).toContainText('drawn-2');
    const redPixels = () =>
      pane(page, 0)
        .locator('canvas.xterm-image-layer')
        .evaluate((canvas: HTMLCanvasElement) => {
          const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
          let count = 0;
          for (let at = 0; at < data.length; at += 4)
            if (data[at]! > 200 && data[at + 1]! < 60 && data[at + 3]! > 200) count++;
          return count;
        });
    await expect.poll(redPixels).toBeGreaterThan(60 * 60 * 0.9);
  });

  await test.step('a paste that the program would run at once is shown before it is sent', async () => {
    await type(page, 0, 'clear; echo reads-$((1+1)); cat > /dev/null');
    await expect(rows).toContainText('reads-2');
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', Array.from({ length: 12 }, (_, n) => `line ${n}`).join('\n'));
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(paste);
    });
    const question = page.getByRole('dialog', { name: 'Paste 12 lines?' });
    await expect(question).toContainText('line 7');
    await expect(question).toContainText('and 4 more lines');
    await expect(question).not.toContainText('line 8');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(question).toBeHidden();
    await expect(rows).not.toContainText('line 0');
    await page.keyboard.press('Control+C');
  });

  await test.step('a divider that is dragged changes the sizes, which stay over a reload', async () => {
    await page.getByRole('button', { name: 'Split side by side' }).click();
    await expect(screen(page, 1)).toContainText(PROMPT);
    const widths = async (): Promise<number[]> =>
      Promise.all([0, 1].map(async (index) => Math.round((await pane(page, index).boundingBox())!.width)));
    const [left = 0, right = 0] = await widths();
    const divider = page.getByRole('separator', { name: 'Resize the panes' });
    const { x, y, width, height } = (await divider.boundingBox())!;
    const [fromX, atY] = [x + width / 2, y + height / 2];
    await page.mouse.move(fromX, atY);
    await page.mouse.down();
    await page.mouse.move(fromX + 60, atY);
    await page.mouse.move(fromX + 150, atY);
    await page.mouse.up();
    await page.mouse.move(fromX, atY);
    const close = (got: number[], wanted: number[]) => got.every((one, n) => Math.abs(one - wanted[n]!) <= 3);
    await expect.poll(async () => close(await widths(), [left + 150, right - 150])).toBe(true);
    // The shells are told of their new sizes.
    await expect(async () => {
      await type(page, 1, 'echo narrow-$(($(stty size | cut -d " " -f 2) < 45))');
      await expect(screen(page, 1)).toContainText('narrow-1', { timeout: 1000 });
    }).toPass();
    await page.reload();
    await shell.ready();
    await expect(screen(page, 1)).toContainText('narrow-1');
    await expect.poll(async () => close(await widths(), [left + 150, right - 150])).toBe(true);
    await expectNoFault(page, 'a split that was dragged', 'main');
  });
}

/** In the tab with two panes, whose title a program makes longer than the tab. */
async function searchNarrowPane(page: Page): Promise<void> {
  await type(page, 0, "printf '\\033]0;a title that is longer than its tab can show it\\a'; sleep 1000");
  await expect(page.getByRole('tab')).toContainText('a title that is longer');
  await pane(page, 0).locator('.xterm-screen').click();
  const count = page.getByRole('tab').locator('em');
  await expect(count).toHaveText('2');
  const isWhole = () =>
    count.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return document.elementFromPoint(x + width - 1, y + height / 2) === element;
    });
  await expect.poll(isWhole, 'the number of panes is visible').toBe(true);

  await page.setViewportSize({ width: 420, height: 800 });
  await page.getByRole('button', { name: 'Find' }).click();
  const search = pane(page, 0).getByRole('search');
  await expect(search.getByRole('textbox')).toBeFocused();
  await page.keyboard.type('title');
  await expect(search).toContainText(/1 of \d/);
  const outside = () =>
    search.locator('input, button').evaluateAll((controls) => {
      const bar = controls[0]?.closest('form')?.getBoundingClientRect();
      return controls
        .map((control) => control.getBoundingClientRect())
        .filter(({ left, right }) => bar === undefined || left < bar.left || right > bar.right).length;
    });
  // The panes get narrow a moment after the window.
  await expect(async () => {
    expect(await outside(), 'controls beyond the edge of the search').toBe(0);
    const [bar, first] = [await search.boundingBox(), await pane(page, 0).boundingBox()];
    expect(bar!.x + bar!.width).toBeLessThanOrEqual(first!.x + first!.width);
    expect(bar!.height, 'a row with the field, and one with the buttons').toBeLessThan(90);
  }).toPass();
}

test('paths, links and pictures that programs write can be used, panes have the sizes that their divider was dragged to, and the search fits into a narrow one', async ({
  page,
  context,
  shell,
}) => {
  await using host = await startOwnHost();
  await openTerminal(page, shell, host.link);
  await test.step('a path that the shell of this computer writes is copied by Ctrl and a click, if the file is there', () =>
    copyPaths({ page, context, shell }, host.page));
  await test.step('links and pictures that programs write are shown, and panes have the sizes that their divider was dragged to', () =>
    useLinksAndPictures({ page, context, shell }));
  await test.step('the search fits into a narrow pane, and a long title of a shell leaves the number of panes whole', () =>
    searchNarrowPane(page));
});

test('a host that was started without shells says so where one would be opened, and leads to the Pods', async ({
  page,
  shell,
}) => {
  await using host = await startOwnHost(['--no-shell']);
  await page.goto(host.link);
  await shell.ready();
  await shell.goTo('Terminals');
  const choice = page.getByRole('main').getByRole('button', { name: /^This computer/ });
  await expect(choice).toBeDisabled();
  await expect(choice).toContainText('are turned off by the flag --no-shell');
  await page.getByRole('button', { name: 'New terminal' }).click();
  await expect(page.getByRole('menuitem', { name: /^This computer: Shells of this computer are/ })).toBeDisabled();
  // The same is true of the ssh program, and is said once.
  await expect(page.getByText(/turned off by the flag/)).toHaveCount(2);
  await expectFocusIn(page.getByRole('menu'));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show Pods' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pods' })).toBeVisible();
});

test('a host of the person’s SSH settings is reached in a terminal that asks by itself, and again after the connection broke', async ({
  page,
  shell,
}) => {
  test.skip(!existsSync('/usr/sbin/sshd'), 'it needs the server of OpenSSH');
  await using sshd = await startSshd();
  const key = await makeKey(sshd.folder, 'locked', 'open sesame');
  await sshd.authorize(key);
  const { home, config, programs } = await makeSshHome(sshd, key, ['web', 'web-2']);
  const host = await startHost({ programs, env: { HOME: home } });
  await using _host = { [Symbol.asyncDispose]: host.stop };
  const terminal = page.getByRole('region', { name: 'Terminal 1 in web', exact: true });
  const lines = terminal.locator('.xterm-rows');
  const enter = async (line: string): Promise<void> => {
    await terminal.locator('.xterm-screen').click();
    await page.keyboard.insertText(line);
    await page.keyboard.press('Enter');
  };
  await page.goto(host.link);
  await shell.ready();
  await shell.goTo('Terminals');
  const choice = page.getByRole('main').getByRole('button', { name: /^Another computer/ });
  await expect(choice).toContainText('2 hosts of your settings');
  await expectNoFault(page, 'the choice of a computer', 'main');
  await choice.click();
  const dialog = page.getByRole('dialog', { name: 'Terminal over SSH' });
  const field = dialog.getByRole('combobox', { name: 'Host' });
  await field.fill('-oProxyCommand=id');
  await expect(dialog).toContainText('Enter host, user@host or user@host:port');
  await expect(dialog.getByRole('button', { name: 'Connect' })).toBeDisabled();
  await expectNoFault(page, 'a host that is none', '[role=dialog]');
  await field.fill('we');
  await page.getByRole('option', { name: 'web', exact: true }).click();
  await dialog.getByRole('button', { name: 'Connect' }).click();

  await expect(page.getByRole('tab', { name: /^web/ })).toBeVisible();
  await expect(lines).toContainText('continue connecting');
  await enter('yes');
  await expect(lines).toContainText('passphrase for key');
  await enter('open sesame');
  await expect(lines).toContainText(PROMPT);
  await enter('echo first-$((40+2))');
  await expect(lines).toContainText('first-42');
  await expect(lines).not.toContainText('open sesame');

  await page.reload();
  await shell.ready();
  await expect(lines).toContainText('first-42');
  await page.getByRole('button', { name: 'Close the terminal and end its shell' }).click();
  const question = page.getByRole('dialog', { name: 'Close the terminal at web?' });
  await expect(question).toContainText('Hangar cannot see what runs there.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  sshd.cut();
  const status = terminal.getByRole('status');
  await expect(status).toContainText('ssh did not reach web, was not let in, or lost the connection.');
  await expect(status).toContainText('Press Enter to connect again.');
  await expectNoFault(page, 'a connection that was lost', 'main');
  await terminal.locator('.xterm-screen').click();
  await page.keyboard.press('Enter');
  await expect(lines).toContainText(/first-42.*passphrase for key/);
  await enter('open sesame');
  await expect(lines).toContainText(PROMPT);
  await enter('exit 3');
  await expect(status).toContainText('The shell exited with code 3.');

  // The settings may change while Hangar runs.
  await appendFile(config, 'Host added\n');
  await page.getByRole('button', { name: 'New terminal' }).click();
  await expect(page.getByRole('menuitem', { name: 'added' })).toBeVisible();
  await page.setViewportSize({ width: 420, height: 800 });
  await expect(page.getByRole('menuitem', { name: 'Another host…' })).toBeVisible();
  await expect.poll(() => shell.sidewaysScroll()).toBe(0);
  await page.getByRole('menuitem', { name: 'web-2' }).click();
  const second = page.getByRole('region', { name: 'Terminal 2 in web-2', exact: true }).locator('.xterm-rows');
  await expect(second).toContainText('passphrase for key');
});
