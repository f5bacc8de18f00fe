// Who is given a port to the app. The stand-in proves all of it: messages, frames and ports are Chromium's own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Shell } from '../e2e/pages/shell.ts';
import { expect, test, type Desktop } from './support/desktop.ts';
import { engineStarts, logged } from './support/traces.ts';

type Asking = Window & { offered: MessagePort[]; requests: number; closedPorts: number };

interface Parts {
  desktop: Desktop;
  home: string;
}

async function frameGetsNone({ desktop, home }: Parts): Promise<void> {
  // The page has the port that it asked for itself; only later ones are counted.
  await new Shell(desktop.page).ready();
  await desktop.page.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.name = 'inner';
    frame.srcdoc = '<title>inner</title>';
    document.body.append(frame);
    const page = window as Window as Asking;
    page.offered = [];
    page.requests = 0;
    page.addEventListener('message', ({ data, ports, source }) => {
      page.offered.push(...ports);
      if (data === 'hangar:ready' && source === window) page.requests++;
    });
  });
  await expect.poll(() => desktop.page.frame('inner')?.title()).toBe('inner');
  await desktop.page.frame('inner')?.evaluate(() => window.parent.postMessage('hangar:ready', '*'));
  // Asked after the frame, and answered: had the frame been heard, two ports would be here.
  await desktop.page.evaluate(() => window.postMessage('hangar:ready', window.location.origin));
  // The page asks again by itself when its first port closes, so the ports are counted beside its own requests.
  const surplus = (): Promise<number> =>
    desktop.page.evaluate(() => {
      const { offered, requests } = window as Window as Asking;
      return requests === 0 ? Number.NaN : offered.length - requests;
    });
  await expect.poll(surplus).toBe(0);

  // A frame that reached the channel itself, as one with a preload of its own could.
  await desktop.app.evaluate(({ BrowserWindow, ipcMain }) => {
    const sender = BrowserWindow.getAllWindows()[0]?.webContents;
    ipcMain.emit('hangar:port', { sender, senderFrame: sender?.mainFrame.frames[0] });
  });
  await logged(home, 'a port was refused');
  await expect.poll(surplus).toBe(0);
}

async function pageGetsNewOnes({ desktop, home }: Parts): Promise<void> {
  await desktop.page.evaluate(() => {
    const page = window as Window as Asking;
    Object.assign(page, { offered: [], closedPorts: 0 });
    page.addEventListener('message', ({ ports: [port] }) => {
      if (!port) return;
      port.addEventListener('close', () => (page.closedPorts += 1));
      port.start();
      page.offered.push(port);
    });
    page.postMessage('hangar:ready', page.location.origin);
    page.postMessage('hangar:ready', page.location.origin);
  });
  const counts = (): Promise<[number, number]> =>
    desktop.page.evaluate(() => {
      const { offered, closedPorts } = window as Window as Asking;
      return [offered.length, closedPorts];
    });
  await expect.poll(async () => (await counts())[1]).toBeGreaterThanOrEqual(1);
  expect((await counts())[0]).toBeGreaterThanOrEqual(2);

  await desktop.page.reload();
  const { address } = (await engineStarts(home))[0] ?? { address: '' };
  await expect(desktop.page.getByText(new URL(address).host)).toBeVisible();
}

async function secondWindowGetsNone({ desktop, home }: Parts): Promise<void> {
  const id = await desktop.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Electron.WebPreferences;
    };
    const { preload = '' } = contents.getLastWebPreferences();
    const second = new BrowserWindow({ webPreferences: { preload, sandbox: true, contextIsolation: true } });
    return second.loadURL('app://bundle/index.html').then(() => second.id);
  });
  const line = (await logged(home, 'a port was refused', 2)).at(-1);
  expect(line?.from).toBe('app://bundle/index.html');
  await desktop.app.evaluate(({ BrowserWindow }, second) => BrowserWindow.fromId(second)?.destroy(), id);
}

async function foreignPageGetsNone({ desktop, home }: Parts): Promise<void> {
  await desktop.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.loadURL('data:text/html,<title>foreign</title><input type=file>'),
  );
  await expect(desktop.page).toHaveTitle('foreign');
  await desktop.page.evaluate(() => {
    const page = window as Window as Asking;
    page.offered = [];
    page.addEventListener('message', ({ ports }) => void page.offered.push(...ports));
    page.postMessage('hangar:ready', '*');
  });
  const line = (await logged(home, 'a port was refused', 3)).at(-1);
  expect(line?.from).toMatch(/^data:/);
  expect(await desktop.page.evaluate(() => (window as Window as Asking).offered.length)).toBe(0);
}

/** In the foreign document that is open. */
async function foreignPageGetsNoFile({ desktop, home }: Parts): Promise<void> {
  const file = join(home, 'mine.txt');
  writeFileSync(file, 'mine');
  await desktop.page.locator('input').setInputFiles(file);
  const answer = await desktop.page.locator('input').evaluate(({ files }: HTMLInputElement) => {
    const { grantFile } = Reflect.get(window, 'hangarHost') as { grantFile: (file: unknown) => Promise<unknown> };
    return grantFile(files?.[0]).catch((error: unknown) => (error instanceof Error ? error.message : 'something else'));
  });
  expect(answer).toContain('Only the page of Hangar uploads files.');
  const [line] = await logged(home, 'a file was refused');
  expect(line?.from).toMatch(/^data:/);
}

test('only the page of our own window gets a port, one at a time, and the grant of a file', async ({
  desktop,
  home,
}) => {
  const parts = { desktop, home };
  await logged(home, 'started');
  await test.step('a frame inside the page gets no port', () => frameGetsNone(parts));
  await test.step('asking again closes the port there was, and a reloaded page is given a new one', () =>
    pageGetsNewOnes(parts));
  await test.step('a second window gets no port, even with our preload and our page', () =>
    secondWindowGetsNone(parts));
  await test.step('a foreign document gets no port, even in our own window', () => foreignPageGetsNone(parts));
  await test.step('a foreign document gets no grant of a file, even in our own window', () =>
    foreignPageGetsNoFile(parts));
});
