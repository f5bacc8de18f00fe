// One Pod's life against the built host and a real container engine: from its price over its terminals to what it cost.
import { readFileSync } from 'node:fs';
import type { Page, WebSocketRoute } from '@playwright/test';
import type { BillingRecord } from '#contract/api/billing.ts';
import type { TerminalSession } from '#contract/local/terminal.ts';
import { startContainerEngine } from '../../support/containers/engine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { call, expectNoFault } from '../support/handlers.ts';
import { expect, startHost, test } from './containerHost.ts';

const STAYS = `/bin/sh -c "trap 'exit 0' TERM; while :; do sleep 0.2; done"`;
/** More bytes than a terminal keeps for whoever comes back. */
const LINES = 600_000;
/** They take several seconds alone. */
const FLOOD_MS = 300_000;
/** US dollars an hour of each of its two cores. */
const CORE_HOUR = 36;

const terminals = (page: Page) => page.getByRole('region', { name: /^Terminal \d in shelled$/ });
const screen = (page: Page, index: number) => terminals(page).nth(index).locator('.xterm-rows');

async function type(page: Page, index: number, line: string): Promise<void> {
  await terminals(page).nth(index).locator('.xterm-screen').click();
  // As one message: each key is drawn by itself.
  await page.keyboard.insertText(line);
  await page.keyboard.press('Enter');
}

interface Count {
  /** How many numbered lines came in their order. */
  lines: number;
  /** The line in place of the next number; null if none came. */
  instead: string | null;
  /** How often the page attached to a terminal since the count began, as after a lost connection. */
  attached: number;
}

/** Counts numbered lines of the terminals of a page that is loaded later. */
function watchLines(page: Page) {
  let count: Count = { lines: 0, instead: null, attached: 0 };
  const take = (line: string): void => {
    if (line === String(count.lines + 1)) count.lines += 1;
    else if (count.lines > 0) count.instead ??= line;
  };
  page.on('websocket', (socket) => {
    /** The begun line of each call that follows a terminal. */
    const begun = new Map<string, string>();
    socket.on('framereceived', ({ payload }) => {
      const text = String(payload);
      if (text.includes('"type":"attached"')) count.attached += 1;
      const call = /"i":"(\w+)"/.exec(text)?.[1] ?? '';
      // Output is base64 within the text of a message.
      for (const [, base64 = ''] of text.matchAll(/"bytes":"([^"]*)"/g)) {
        const lines = ((begun.get(call) ?? '') + Buffer.from(base64, 'base64').toString('latin1')).split('\r\n');
        begun.set(call, lines.pop() ?? '');
        lines.forEach(take);
      }
    });
  });
  return {
    begin: () => void (count = { lines: 0, instead: null, attached: 0 }),
    counted: () => count,
  };
}

/** Stands between the page and its app from the next load of the page on, and cuts and joins the connection. */
async function holdWire(page: Page) {
  let close = async (): Promise<void> => undefined;
  let isCut = false;
  await page.routeWebSocket(/\/rpc$/, async (socket: WebSocketRoute) => {
    if (isCut) return socket.close({ code: 4000 });
    const server = socket.connectToServer();
    close = async () => {
      await server.close();
      await socket.close({ code: 4000 });
    };
  });
  return {
    cut: () => {
      isCut = true;
      return close();
    },
    join: () => void (isCut = false),
  };
}

test('a Pod is deployed from its price, worked in by two terminals, stopped, resumed and deleted, and billed for it', async ({
  page,
  context,
  shell,
  pods,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await using containers = await startContainerEngine();
  await makeShellImage(containers.docker, 'hangar-shelled:1');
  const host = await startHost({ dockerHost: containers.host });
  const output = watchLines(page);
  const open = async (): Promise<TerminalSession[]> => call<TerminalSession[]>(host, 'GET', '/local/v1/terminals');
  try {
    await page.goto(host.link);
    await shell.ready();
    await shell.goTo('Terminals');
    await expect(page.getByText('Terminals also open in Pods')).toBeVisible();

    await test.step('deployed from the row of the processor', async () => {
      await shell.goTo('GPU prices');
      const prices = page.getByRole('region', { name: 'Prices of this computer' });
      await prices.getByLabel('CPU core, per hour').fill(String(CORE_HOUR));
      await prices.getByLabel('Electricity, per kWh').click();
      const processors = page.getByRole('table', { name: 'CPUs' });
      const processor = processors.getByRole('row').filter({ has: page.getByRole('button', { name: /^Deploy on/ }) });
      await expect(processor).toContainText('$36');
      await processor.getByRole('button', { name: /^Deploy on/ }).click();
      await pods.fill({ Image: 'hangar-shelled:1', Name: 'shelled', Command: STAYS });
      await pods.deploy();
      await expect(pods.sheet).toBeHidden();
      await expect(pods.state).toHaveText('Running');
      await expect(pods.row('shelled')).toContainText('CPU, 2 cores');
    });

    await test.step('a terminal in its inspector, over another tab and a reload, and then in Terminals', async () => {
      const beside = pods.inspector.getByRole('region', { name: 'Terminal in shelled' });
      await pods.tab('Terminal');
      await expect(beside.getByRole('textbox')).toBeFocused();
      await page.keyboard.insertText('echo beside-$((40+1))');
      await page.keyboard.press('Enter');
      await expect(beside.locator('.xterm-rows')).toContainText('beside-41');
      await pods.tab('Overview');
      await expect(beside).toBeHidden();
      await pods.tab('Terminal');
      await expect(beside.locator('.xterm-rows')).toContainText('beside-41');
      await page.reload();
      await shell.ready();
      await expect(beside.locator('.xterm-rows')).toContainText('beside-41');
      await pods.inspector.getByRole('button', { name: 'Open in Terminals' }).click();
      await expect(terminals(page)).toHaveCount(1);
      await expect(screen(page, 0)).toContainText('beside-41');
      await expect.poll(open).toHaveLength(1);
      await shell.goTo('Pods');
      await pods.open('shelled');
      await pods.tab('Terminal');
      await pods.inspector.getByRole('button', { name: 'Close the terminal and end its shell' }).click();
      await expect(pods.inspector.getByText('No terminal is open')).toBeVisible();
      await expect.poll(open).toHaveLength(0);
    });

    await test.step('two terminals, found again after a reload', async () => {
      await pods.inspector.getByRole('button', { name: 'Terminal', exact: true }).click();
      await expect(terminals(page)).toHaveCount(1);
      await type(page, 0, 'echo first-$((40+2))');
      await expect(screen(page, 0)).toContainText('first-42');
      await page.getByRole('button', { name: 'Split side by side' }).click();
      await expect(terminals(page)).toHaveCount(2);
      await type(page, 1, 'top -d 1');
      await expect(screen(page, 1)).toContainText('COMMAND');

      await page.reload();
      await shell.ready();
      await expect(terminals(page)).toHaveCount(2);
      await expect(screen(page, 0)).toContainText('first-42');
      await expect(screen(page, 1)).toContainText('COMMAND');
      await expect.poll(open).toHaveLength(2);
      await terminals(page).nth(1).locator('.xterm-screen').click();
      await page.keyboard.press('Control+c');
      await type(page, 1, 'echo top-has-$((1+0))-ended');
      await expect(screen(page, 1)).toContainText('top-has-1-ended');
    });

    await test.step('a flood arrives whole, and the next one is interrupted', async () => {
      output.begin();
      // From a file: of a program that writes line by line, each line would be a message of its own.
      await type(page, 1, `seq 1 ${LINES} > /tmp/lines; cat /tmp/lines; echo counted-$((1+1))`);
      await expect(screen(page, 1)).toContainText(`${LINES - 1}${LINES}counted-2`, { timeout: FLOOD_MS });
      expect(output.counted()).toEqual({ lines: LINES, instead: 'counted-2', attached: 0 });
      await type(page, 1, `seq 1 ${LINES * 100}`);
      await expect(screen(page, 1)).not.toContainText('counted-2');
      await page.keyboard.press('Control+c');
      await type(page, 1, 'echo calm-$((1+2))');
      await expect(screen(page, 1)).toContainText('calm-3');
    });

    await test.step('searched and copied from', async () => {
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
    });

    await test.step('split again, typed into together, and resized', async () => {
      await page.getByRole('button', { name: 'Split top and bottom' }).click();
      await expect(terminals(page)).toHaveCount(3);
      // The one on the right keeps its whole height.
      const heightOf = async (index: number) => (await terminals(page).nth(index).boundingBox())?.height ?? 0;
      await expect.poll(async () => (await heightOf(2)) / (await heightOf(0))).toBeGreaterThan(1.8);
      await page.getByRole('button', { name: 'Type into all panes of the tab' }).click();
      await type(page, 1, 'echo together-$((5+5))');
      for (const index of [0, 1, 2]) await expect(screen(page, index)).toContainText('together-10');
      await expectNoFault(page, 'three terminals', 'main');
      await page.getByRole('button', { name: 'Type into all panes of the tab' }).click();
      const divider = page.locator('[role=separator][aria-orientation=vertical]');
      const width = async () => (await terminals(page).nth(0).boundingBox())?.width ?? 0;
      const before = await width();
      await divider.press('ArrowRight');
      await expect.poll(width).toBeGreaterThan(before);
    });

    await test.step('an image is drawn', async () => {
      const layer = terminals(page).nth(0).locator('canvas.xterm-image-layer');
      const redPixels = () =>
        layer.evaluate((canvas: HTMLCanvasElement) => {
          const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
          return data.filter((value, at) => at % 4 === 0 && value === 255 && data[at + 3] === 255).length;
        });
      // Six rows of 50 red pixels, as sixel.
      await type(page, 0, `printf '\\033Pq#1;2;100;0;0#1!50~\\033\\\\'`);
      await expect.poll(redPixels).toBeGreaterThan(100);
    });

    await test.step('lines are pasted after a question, and a copy of a program is asked about', async () => {
      await page.evaluate(() => navigator.clipboard.writeText('echo pasted-$((3+4))\necho pasted-$((4+4))\n'));
      await terminals(page).nth(0).locator('.xterm-screen').click();
      await page.keyboard.press('Control+Shift+v');
      const question = page.getByRole('dialog', { name: 'Paste 2 lines?' });
      await expectNoFault(page, 'a paste', '[role=dialog]');
      await question.getByRole('button', { name: 'Paste' }).click();
      await expect(screen(page, 0)).toContainText(/pasted-7.*pasted-8/);
      // The question took the end of the last key press: until the next one, xterm takes no text that comes as one.
      await terminals(page).nth(0).locator('.xterm-screen').click();
      await page.keyboard.press('Shift');
      await type(page, 0, `printf '\\033]52;c;%s\\a' "$(printf from-the-pod | base64)"`);
      const request = terminals(page).nth(0).getByRole('status').filter({ hasText: 'from-the-pod' });
      await request.getByRole('button', { name: 'Copy' }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('from-the-pod');
    });

    await test.step('ended and begun again in place', async () => {
      await type(page, 0, 'exit 3');
      const ended = terminals(page).nth(0).getByRole('status');
      await expect(ended).toContainText('The shell exited with code 3.');
      await page.reload();
      await shell.ready();
      await expect(ended).toContainText('The shell exited with code 3.');
      await expect(screen(page, 0)).toContainText(/pasted-7.*pasted-8/);
      await page.keyboard.press('Escape');
      await terminals(page).nth(0).locator('.xterm-screen').click();
      await page.keyboard.press('Enter');
      await expect(ended).toBeHidden();
      await type(page, 0, 'echo next-$((6+6))');
      await expect(screen(page, 0)).toContainText('next-12');
    });

    await test.step('a connection that breaks comes back to all', async () => {
      // Not before: with the test in its way, each message takes twice the time.
      const wire = await holdWire(page);
      await page.reload();
      await shell.ready();
      await expect(screen(page, 0)).toContainText(/pasted-8.*next-12/);
      await wire.cut();
      const away = terminals(page).nth(0).getByText('Not connected. What you type is not sent.');
      await expect(away).toBeVisible();
      wire.join();
      await expect(away).toBeHidden();
      // For a moment, the terminal says "Connection lost." instead.
      await expect(terminals(page).nth(0).getByRole('status')).toBeHidden();
      await type(page, 0, 'echo back-$((1+3))');
      await expect(screen(page, 0)).toContainText(/next-12.*back-4/);
      await expect.poll(open).toHaveLength(3);
    });

    await test.step('ended again, closed and taken back', async () => {
      const ended = terminals(page).nth(0).getByRole('status');
      // The scrollback of a shell that ends stays above the next one.
      await type(page, 0, 'exit 4');
      await expect(ended).toContainText('exited with code 4');
      await page.keyboard.press('Enter');
      await type(page, 0, 'echo last-$((7+7))');
      await expect(screen(page, 0)).toContainText(/back-4.*last-14/);

      await shell.restOnNotices();
      await page.getByRole('button', { name: 'Close the terminal and end its shell' }).press('Enter');
      await expect(terminals(page)).toHaveCount(2);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(screen(page, 0)).toContainText('last-14');
      await page.getByTitle('Close the tab shelled').click();
      await expect(page.getByText('No terminal is open')).toBeVisible();
      // The shells end with the notice that could have taken it back.
      await expect.poll(open).toEqual([]);
      await expectNoFault(page, 'no terminal', 'main');
    });

    const [podId = ''] = (await call<{ id: string }[]>(host, 'GET', '/v1/pods')).map(({ id }) => id);
    const billed = async (): Promise<BillingRecord[]> =>
      call<BillingRecord[]>(host, 'GET', '/v1/billing/pods?bucketSize=year&grouping=podId');
    await test.step('stopped, resumed and deleted', async () => {
      await shell.goTo('Pods');
      await pods.open('shelled');
      await pods.stop('shelled');
      await expect.poll(async () => (await billed())[0]?.podId).toBe(podId);
      await pods.inspector.getByRole('button', { name: /^Start/ }).click();
      await expect(pods.state).toHaveText('Running');
      const before = (await billed())[0]?.timeBilledMs ?? 0;
      await pods.remove('shelled');
      await expect.poll(async () => (await billed())[0]?.timeBilledMs ?? 0).toBeGreaterThan(before);
    });

    await test.step('told on Billing, and saved', async () => {
      await shell.goTo('Billing');
      await page.getByRole('combobox', { name: 'Group by' }).click();
      await page.getByRole('option', { name: 'By resource' }).click();
      const table = page.getByRole('table', { name: 'Usage' });
      await expect(table.getByRole('row').filter({ hasText: 'shelled' })).toContainText('$');
      const coming = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV' }).click();
      const [head, ...rows] = readFileSync(await (await coming).path(), 'utf8')
        .trimEnd()
        .split('\r\n');
      expect(head).toBe('time,kind,id,name,hours,disk_gb,amount_usd');
      // One for each day, as it may become midnight meanwhile.
      const fields = rows.map((row) => row.split(','));
      expect(new Set(fields.map(([, kind, id]) => `${kind} ${id}`))).toEqual(new Set([`pod ${podId}`]));
      const sum = (column: number): number => fields.reduce((all, row) => all + Number(row[column]), 0);
      const [record] = await billed();
      expect(sum(4)).toBeCloseTo((record?.timeBilledMs ?? 0) / 3_600_000, 9);
      expect(sum(6)).toBeCloseTo(sum(4) * 2 * CORE_HOUR, 3);
    });
  } finally {
    await host.stop();
  }
});
