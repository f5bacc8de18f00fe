/** Starts the built desktop app for a test: on real Electron where its binary is, else on the stand-in. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron, test as base, expect } from '@playwright/test';
import type { ElectronApplication, Page } from '@playwright/test';
import { DEADLINE_MS } from '../../support/core/until.ts';
import type { RecordEntry, RecordKind } from '../standin/record.ts';

export { expect };

export const root = resolve(import.meta.dirname, '../../..');
const standin = resolve(import.meta.dirname, '../standin/electron');

function findExecutable(): string {
  const named = process.env['HANGAR_ELECTRON'];
  if (named) return named;
  const folder = join(root, 'node_modules/electron');
  const name = existsSync(join(folder, 'path.txt')) ? readFileSync(join(folder, 'path.txt'), 'utf8') : '';
  const real = join(folder, 'dist', name);
  return name && existsSync(real) ? real : standin;
}
export const executablePath = findExecutable();

/** Whether the stand-in runs. A test only real Electron can pass is skipped then, by name. */
export const isStandin = realpathSync(executablePath) === standin;
export const onlyElectron = 'only real Electron shows this';

/** The environment of a child that must not inherit the test runner's. Compiled code is the exception: it saves time. */
const inherited = Object.fromEntries(
  Object.entries(process.env).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    return value !== undefined && !/^(NODE_(?!COMPILE_CACHE$)|PLAYWRIGHT_|ELECTRON_|TEST_)/.test(name);
  }),
);

type Wanted = Pick<RecordEntry, 'kind'> & { detail: RegExp };

/** What the stand-in recorded. Nothing, on real Electron. */
export interface Records {
  /** Waits for it. A record that no test names fails the test. */
  expect(kind: RecordKind, detail: RegExp): Promise<void>;
}

export interface Desktop {
  /** The app that runs now. */
  readonly app: ElectronApplication;
  /** Its window's page. */
  readonly page: Page;
  /** Ends the app as a person does, and waits until its process is gone. */
  quit(): Promise<void>;
  /** Ends it, and starts it again on the same folders. */
  restart(): Promise<void>;
}

interface Options {
  /** The folder given to the executable: ours, unless a test brings an app of its own. */
  appRoot: string;
  appArgs: string[];
}

interface Fixtures {
  /** A new folder below which everything is written. */
  home: string;
  env: Record<string, string>;
  records: Records;
  /** Starts the executable and answers before it has a window. */
  launch: () => Promise<ElectronApplication>;
  desktop: Desktop;
}

function readRecords(file: string): RecordEntry[] {
  if (!existsSync(file)) return [];
  // What is behind the last line end is a line that is being written.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as RecordEntry);
}

/** The next window that opens. Playwright waits for half a minute by itself, whatever its configuration says. */
export const nextWindow = (app: ElectronApplication): Promise<Page> =>
  app.waitForEvent('window', { timeout: DEADLINE_MS });

export const firstWindow = async (app: ElectronApplication): Promise<Page> =>
  app.windows()[0] ?? (await nextWindow(app));

/** A window is there before it shows anything. */
async function loadedWindow(app: ElectronApplication): Promise<Page> {
  const page = await firstWindow(app);
  await page.waitForURL(({ protocol }) => protocol !== 'about:');
  return page;
}

export const test = base.extend<Options & Fixtures>({
  appRoot: [root, { option: true }],
  appArgs: [['--port=0'], { option: true }],

  home: async ({}, use) => {
    // Short, because sockets lie below it.
    const home = mkdtempSync(join(tmpdir(), 'hangar-'));
    mkdirSync(join(home, 'tmp'));
    await use(home);
    rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  },

  env: async ({ home }, use) => {
    await use({
      ...inherited,
      // Chromium on Linux drops chosen files whose names the locale cannot express, such as "ü" without a locale.
      LC_ALL: 'C.UTF-8',
      // The keychain of whoever runs the tests is not for them.
      HANGAR_KEYS: 'memory',
      HANGAR_HOME: join(home, 'hangar'),
      HANGAR_STANDIN_RECORD: join(home, 'record.jsonl'),
      TMPDIR: join(home, 'tmp'),
      XDG_CONFIG_HOME: join(home, 'config'),
      XDG_CACHE_HOME: join(home, 'cache'),
    });
  },

  records: async ({ home }, use) => {
    const file = join(home, 'record.jsonl');
    const expected: Wanted[] = [];
    const matches = (entry: RecordEntry, { kind, detail }: Wanted): boolean =>
      entry.kind === kind && detail.test(entry.detail);
    await use({
      async expect(kind, detail) {
        expected.push({ kind, detail });
        if (!isStandin) return;
        await expect.poll(() => readRecords(file).some((entry) => matches(entry, { kind, detail }))).toBe(true);
      },
    });
    const surprises = readRecords(file).filter((entry) => !expected.some((wanted) => matches(entry, wanted)));
    expect(surprises, 'recorded by the stand-in, and not expected by the test').toEqual([]);
  },

  // `records` comes first, so that it looks at what happened until the very end.
  launch: async ({ appRoot, appArgs, env, actionTimeout, records: _records }, use) => {
    const launched: ElectronApplication[] = [];
    await use(async () => {
      const app = await _electron.launch({ executablePath, args: [appRoot, ...appArgs], env, cwd: root });
      // Playwright sets the times of its configuration for browsers only.
      app.context().setDefaultTimeout(actionTimeout);
      launched.push(app);
      return app;
    });
    for (const app of launched) await app.close();
  },

  desktop: async ({ launch }, use) => {
    let app = await launch();
    let page = await loadedWindow(app);
    const quit = (): Promise<void> => app.close();
    await use({
      get app() {
        return app;
      },
      get page() {
        return page;
      },
      quit,
      async restart() {
        await quit();
        app = await launch();
        page = await loadedWindow(app);
      },
    });
  },
});
