/** The Chromium that draws the windows of one launch: its flags, its own profile folder, its end. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { chromiumFlags, findChromium } from '../../../../scripts/chromium.mjs';
import { Connection } from './cdp.ts';

const flags = [
  ...chromiumFlags,
  '--headless=new',
  '--no-startup-window',
  '--remote-debugging-pipe',
  '--remote-debugging-port=0',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-renderer-backgrounding',
  '--disable-search-engine-choice-screen',
  '--no-default-browser-check',
  '--password-store=basic',
  // Every frame in the process of its page, so that one session sees them all.
  '--disable-site-isolation-trials',
  '--disable-features=IsolateOrigins,site-per-process,HttpsUpgrades,MediaRouter,OptimizationHints,Translate',
  // Electron tells a page's port that its other end has closed; Chromium has the same, but off.
  '--enable-blink-features=MessagePortCloseEvent',
  // Nothing of a test may reach a network: what the app serves is answered before a name is looked up.
  '--host-resolver-rules=MAP * ~NOTFOUND',
];

export interface Chromium {
  readonly connection: Connection;
  /** Where another program, such as Playwright, attaches to the same browser. */
  readonly devToolsAddress: string;
  readonly version: string;
  stop(): Promise<void>;
  /** For the exit of this process, which cannot wait. */
  kill(): void;
}

export async function startChromium(extraFlags: readonly string[]): Promise<Chromium> {
  const profile = mkdtempSync(join(tmpdir(), 'standin-profile-'));
  const program = findChromium();
  if (!program) throw new Error('no Chromium was found; name one in HANGAR_CHROMIUM');
  const child = spawn(program, [...flags, ...extraFlags, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  });
  // Processes of Chromium may outlive it for a moment, and write there.
  const removeProfile = (): void => rmSync(profile, { recursive: true, force: true, maxRetries: 20 });
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const connection = new Connection(child.stdio[3] as Writable, child.stdio[4] as Readable);

  const devToolsAddress = await new Promise<string>((resolve, reject) => {
    const errorLines: string[] = [];
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`Chromium ended (${code}) before it listened:\n${errorLines.join('\n')}`)),
    );
    createInterface({ input: child.stderr as Readable }).on('line', (line) => {
      errorLines.push(line);
      const address = /^DevTools listening on (ws:\/\/\S+)/.exec(line)?.[1];
      if (address) resolve(address);
    });
  });
  const { product } = await connection.browser.send<{ product: string }>('Browser.getVersion');
  await connection.browser.send('Target.setDiscoverTargets', { discover: true });

  return {
    connection,
    devToolsAddress,
    version: product.replace(/^.*\//, ''),
    async stop() {
      // A browser that is already gone is what was asked for.
      connection.browser.send('Browser.close').catch(() => undefined);
      const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
      await gone;
      clearTimeout(timer);
      removeProfile();
    },
    kill() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      removeProfile();
    },
  };
}
