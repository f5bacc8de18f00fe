// `npm run dev` on a copy of the sources: hot reload of the page, a restart of app and engine, and an end that leaves
// nothing behind.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test as base } from '@playwright/test';
import { Shell } from './pages/shell.ts';
import { commandOf, descendantsOf, isRunning } from './support/processes.ts';

const repository = resolve(import.meta.dirname, '../..');
const SOURCES = [
  'main',
  'preload',
  'renderer',
  'resources',
  'scripts',
  'package.json',
  'electron.vite.config.ts',
  'tsconfig.shared.json',
];

/** A start from source, and each of the hundreds of modules of the page, take seconds alone. */
const DEV_MS = 180_000;

interface Dev {
  /** Where the copy lies. */
  folder: string;
  process: ChildProcess;
  /** All that it has printed. */
  output(): string;
}

const test = base.extend<{ dev: Dev }>({
  dev: async ({}, use, testInfo) => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hangar-dev-')));
    for (const name of SOURCES) cpSync(join(repository, name), join(folder, name), { recursive: true });
    symlinkSync(realpathSync(join(repository, 'node_modules')), join(folder, 'node_modules'));
    const child = spawn(process.execPath, ['scripts/dev.mjs', '--port', '0', '--ui-port', '0'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, HANGAR_KEYS: 'memory' },
    });
    const ended = once(child, 'close');
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    await use({ folder, process: child, output: () => output });
    if (testInfo.status !== testInfo.expectedStatus) await testInfo.attach('what it printed', { body: output });
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  },
});

const lastMatch = (text: string, pattern: RegExp): string | undefined => [...text.matchAll(pattern)].at(-1)?.[1];

const edit = (path: string, change: (text: string) => string): void =>
  writeFileSync(path, change(readFileSync(path, 'utf8')));

test('a change reaches the page, or starts app and engine again, and Ctrl+C ends everything', async ({ dev, page }) => {
  test.skip(!existsSync('/proc/self/task'), 'the processes of a process are told by Linux alone');
  const pid = dev.process.pid ?? 0;
  const running = (program: string): number | undefined =>
    descendantsOf(pid).find((one) => commandOf(one).includes(`/main/${program}.ts`));
  const link = (): string | undefined => lastMatch(dev.output(), /Open it +(\S+)/g);

  const refused: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text());
  });
  // Vite serves the files of a few folders only.
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  // A browser drops what it is loading when a network of this machine comes up, such as one of Docker's: a page of
  // hundreds of modules then stays blank.
  let dropped = 0;
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    if (reason === 'net::ERR_NETWORK_CHANGED') dropped++;
    console.log(request.url(), reason);
  });
  await expect.poll(link, { message: 'the address is printed', timeout: DEV_MS }).toBeDefined();
  // The page has loaded once all of its modules have: that is waited for below.
  const opened = await page.goto(link() ?? '', { waitUntil: 'commit' });
  const shell = new Shell(page);
  const hasBegun = async (): Promise<boolean> => {
    if (dropped > 0) {
      dropped = 0;
      // What drops this as well is counted above.
      await page.reload({ waitUntil: 'commit' }).catch(() => null);
    }
    return shell.navigation.isVisible();
  };
  await expect.poll(hasBegun, { message: 'all modules of the page are loaded', timeout: DEV_MS }).toBe(true);
  await shell.ready();
  expect(opened?.headers()['content-security-policy'], 'the content policy of the built page').toContain(
    "script-src 'self' 'wasm-unsafe-eval';",
  );
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  const isSameDocument = () => page.evaluate(() => 'isSameDocument' in window);
  const host = running('headless');

  edit(join(dev.folder, 'renderer/features/shell/Sidebar.tsx'), (text) => text.replace('t`Pages`', 't`Changed pages`'));
  await expect(page.getByRole('navigation', { name: 'Changed pages' })).toBeVisible();
  expect(await isSameDocument(), 'the page was not loaded again').toBe(true);
  expect(running('headless'), 'the host runs on').toBe(host);

  const engine = running('engine');
  expect(engine).toBeDefined();
  edit(join(dev.folder, 'main/engine/entry.ts'), (text) => `${text}\n// A change.\n`);
  const first = link();
  await expect
    .poll(() => link() !== first, { message: 'app and engine have started again', timeout: DEV_MS })
    .toBe(true);
  expect(running('engine')).not.toBe(engine);
  await shell.ready();
  expect(await isSameDocument(), 'the page has connected again by itself').toBe(true);
  expect(refused).toEqual([]);

  const all = descendantsOf(pid);
  expect(all.length).toBeGreaterThan(2);
  dev.process.kill('SIGINT');
  await expect.poll(() => all.filter(isRunning), 'nothing runs on').toEqual([]);
});
