/** The built headless host for browser tests: one for each worker, its page paired once, a new page for each test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { test as base, expect } from '@playwright/test';
import { PAGE_TOKEN_HASH } from '#contract/app/pageSession.ts';
import { EndpointsPage } from '../pages/endpointsPage.ts';
import { JobsPage } from '../pages/jobsPage.ts';
import { PodsPage } from '../pages/podsPage.ts';
import { RunPage } from '../pages/runPage.ts';
import { Shell } from '../pages/shell.ts';
import { childrenOf, commandOf } from './processes.ts';
import { SharedContext, type Session } from './sharedContext.ts';

export { expect };

const repository = resolve(import.meta.dirname, '../../..');
const node = join(repository, 'node_modules/.bin/node');

export interface Host {
  /** Base address of the engine's API. */
  api: string;
  apiKey: string;
  /** Address of the page, without its pairing. */
  page: string;
  /** The sign-in link; good for one browser. */
  link: string;
  pid: number;
  dataDir: string;
}

export interface HostOptions {
  /** A folder of programs that are found before those of the system. */
  programs?: string;
  /** Where containers run, as DOCKER_HOST tells it. */
  dockerHost?: string;
  /** Anything else of its environment. */
  env?: Record<string, string>;
  /** The home of a person whose data lies in the default folder; without it, --data-dir names a new folder. */
  home?: string;
  /** More flags of its command line. */
  flags?: readonly string[];
  /** A program, with its arguments, that runs the host, as in a network of its own. */
  under?: readonly [program: string, ...args: string[]];
  /** What lies in its data folder before it starts. */
  files?: Readonly<Record<string, string | Uint8Array>>;
}

/** No variable names another folder than those of the home. */
const NO_FOLDERS = Object.fromEntries(
  ['HANGAR_HOME', 'XDG_STATE_HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME'].map((name) => [name, undefined]),
);

/** The origins of hosts that a test has stopped while its page was still open, and perhaps still loading. */
const stoppedOrigins = new Set<string>();

/** Starts a host on a new data folder and ports of the system's choice; `stop` waits until everything is gone. */
export async function startHost(options: HostOptions = {}): Promise<Host & { stop: () => Promise<void> }> {
  const { programs, dockerHost, env, home, flags = [], under = [], files = {} } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'hangar-e2e-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(dataDir, name), text);
  const script = join(repository, 'out/main/headless.js');
  const folder = home === undefined ? ['--data-dir', dataDir] : [];
  const command = [...under, node, script, '--json', '--port', '0', '--ui-port', '0', ...folder, ...flags];
  const [program = node, ...args] = command;
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // The keychain of whoever runs the tests is not for them.
      HANGAR_KEYS: 'memory',
      ...(programs !== undefined && { PATH: `${programs}:${process.env['PATH'] ?? ''}` }),
      ...(home !== undefined && { HOME: home, ...NO_FOLDERS }),
      ...(dockerHost !== undefined && { DOCKER_HOST: dockerHost }),
      ...env,
    },
  });
  const ended = once(child, 'close');
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-8000);
  });
  const first = createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const line = await Promise.race([first, ended.then(() => null)]);
  if (line === null || line.done === true) throw new Error(`The host ended before it was ready. It said:\n${output}`);
  const ready = JSON.parse(line.value) as { api: string; ui: string; apiKey: string; pid: number; dataDir: string };
  return {
    api: ready.api,
    apiKey: ready.apiKey,
    page: new URL(ready.ui).origin,
    link: ready.ui,
    pid: ready.pid,
    dataDir: ready.dataDir,
    stop: async () => {
      stoppedOrigins.add(new URL(ready.ui).origin);
      child.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The host's child that is the engine. Linux tells a process's children in /proc; elsewhere this is null. */
export function enginePid(host: Host): number | null {
  return childrenOf(host.pid).find((pid) => commandOf(pid).includes('engine')) ?? null;
}

interface Fixtures {
  shell: Shell;
  run: RunPage;
  jobs: JobsPage;
  endpoints: EndpointsPage;
  pods: PodsPage;
  /**
   * Whether the test has a context of its own, as one needs that sets an option such as `locale`, or that counts what the
   * first page loads.
   */
  ownContext: boolean;
  /** Errors of the browser that the test itself brings about. */
  expectedErrors: RegExp | null;
  /** Fails the test when the page reported an error of its own. */
  noPageErrors: undefined;
  /** Removes the endpoints that the file before this one left: a list draws only those rows that it has room for. */
  noFormerEndpoints: undefined;
}

const NETWORK_CHANGED = /ERR_NETWORK_CHANGED/;
/** The page that says so comes a moment later, and may interrupt the next attempt. */
const INTERRUPTED = /interrupted by another navigation to "chrome-error:/;

/** Every host begins with them. */
const samples = readdirSync(join(repository, 'resources/examples'));

interface LeftEndpoint {
  id: string;
  name: string;
}

const ask = ({ api, apiKey }: Host, method: string, path: string) =>
  fetch(api + path, { method, headers: { authorization: `Bearer ${apiKey}` } });

interface WorkerFixtures {
  host: Host;
  /** What the last test of this worker left: its file, and the endpoints, without the samples. */
  left: { file: string; endpoints: readonly LeftEndpoint[] };
  paired: Session;
  shared: SharedContext;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  host: [
    async ({}, use) => {
      const host = await startHost();
      await use(host);
      await host.stop();
    },
    { scope: 'worker' },
  ],
  left: [({}, use) => use({ file: '', endpoints: [] }), { scope: 'worker' }],
  paired: [
    async ({ browser, host }, use) => {
      // The page itself would take the token out of its address, and is loaded by each test.
      const context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(host.link, { waitUntil: 'commit' });
      const { hash } = new URL(page.url());
      if (!hash.startsWith(PAGE_TOKEN_HASH)) throw new Error(`The sign-in link led to ${page.url()}.`);
      const cookies = await context.cookies();
      await context.close();
      const token = { name: 'hangar.page-token', value: hash.slice(PAGE_TOKEN_HASH.length) };
      const origins = [{ origin: host.page, localStorage: [token] }];
      await use({ cookies, origins });
    },
    { scope: 'worker' },
  ],
  shared: [
    async ({ browser, host, paired }, use) => {
      const shared = await SharedContext.open(browser, host.page, paired);
      await use(shared);
      await shared.context.close();
    },
    { scope: 'worker' },
  ],
  ownContext: [false, { option: true }],
  storageState: ({ paired }, use) => use(paired),
  baseURL: ({ host }, use) => use(host.page),
  context: async ({ browser, shared, ownContext }, use) => {
    if (ownContext) {
      // With all that the test has set with `test.use`.
      const context = await browser.newContext();
      await use(context);
      await context.close();
      return;
    }
    await use(shared.context);
    await shared.leave();
  },
  // The browser drops what it is loading when a network comes up, such as that of a container engine which the test
  // starts: the document or one of its files, without which the page stays blank.
  page: async ({ context, shared, ownContext }, use) => {
    const page = ownContext ? await context.newPage() : shared.page;
    const goto = page.goto.bind(page);
    let isCut = false;
    page.on('requestfailed', (request) => {
      if (NETWORK_CHANGED.test(request.failure()?.errorText ?? '')) isCut = true;
    });
    page.goto = async (...to) => {
      for (let attempt = 1; ; attempt++) {
        try {
          isCut = false;
          const response = await goto(...to);
          if (!isCut || attempt === 5) return response;
          // The address is the same already, so another goto would load nothing.
          isCut = false;
          await page.reload();
          if (!isCut) return response;
        } catch (error) {
          const text = String(error);
          if (attempt === 5 || !(NETWORK_CHANGED.test(text) || INTERRUPTED.test(text))) throw error;
        }
      }
    };
    await use(page);
  },
  expectedErrors: [null, { option: true }],
  noPageErrors: [
    async ({ page, expectedErrors }, use) => {
      const errors: { text: string; url: string }[] = [];
      page.on('pageerror', (error) => errors.push({ text: error.message, url: '' }));
      page.on('console', (message) => {
        // What the browser itself says about a refused script, style or connection counts, too.
        const text = message.text();
        if (message.type() !== 'error' || text.includes('WebSocket') || NETWORK_CHANGED.test(text)) return;
        if (expectedErrors?.test(text)) return;
        errors.push({ text, url: message.location().url });
      });
      await use(undefined);
      const isOfStopped = (url: string) => URL.canParse(url) && stoppedOrigins.has(new URL(url).origin);
      expect(errors.filter(({ url }) => !isOfStopped(url)).map(({ text }) => text)).toEqual([]);
    },
    { auto: true },
  ],
  noFormerEndpoints: [
    async ({ host, left }, use, { file }) => {
      if (file !== left.file) for (const { id } of left.endpoints) await ask(host, 'DELETE', `/v1/endpoints/${id}`);
      await use(undefined);
      const endpoints = (await (await ask(host, 'GET', '/v1/endpoints')).json()) as readonly LeftEndpoint[];
      Object.assign(left, { file, endpoints: endpoints.filter(({ name }) => !samples.includes(name)) });
    },
    { auto: true },
  ],
  shell: ({ page }, use) => use(new Shell(page)),
  run: ({ page }, use) => use(new RunPage(page)),
  jobs: ({ page }, use) => use(new JobsPage(page)),
  endpoints: ({ page }, use) => use(new EndpointsPage(page)),
  pods: ({ page }, use) => use(new PodsPage(page)),
});
