/**
 * Takes the pictures of the README anew (docs/run.png, docs/jobs.png) from the built program, with its own sample
 * endpoints.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromiumFlags, findChromium } from './chromium.mjs';
import { buildIfStale } from './bundles.mjs';
import { node24, onNode24, root } from './run24.mjs';

await onNode24();
await buildIfStale();
const { chromium } = await import('@playwright/test');

const dataDir = await mkdtemp(join(tmpdir(), 'hangar-pictures-'));
const flags = ['--json', '--data-dir', dataDir];
const host = spawn(node24, [join(root, 'out/main/headless.js'), ...flags], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, HANGAR_KEYS: 'memory' },
});
const ended = once(host, 'close');
const [line] = /** @type {[string]} */ (await once(createInterface({ input: host.stdout }), 'line'));
const { ui } = /** @type {{ ui: string }} */ (JSON.parse(line));

const executablePath = findChromium();
const browser = await chromium.launch({ ...(executablePath !== undefined && { executablePath }), args: chromiumFlags });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  await page.goto(ui);
  const state = page.getByRole('region', { name: 'Job', exact: true }).locator('[data-status]').first();
  const shoot = (/** @type {string} */ name) => page.screenshot({ path: join(root, 'docs', name) });
  const goTo = (/** @type {string} */ title) =>
    page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: new RegExp(`^${title}`) })
      .click();

  async function start(/** @type {string} */ endpoint) {
    await page.getByRole('button', { name: /^Endpoint:/ }).click();
    await page.getByRole('option', { name: endpoint }).click();
    await page.getByRole('button', { name: `Endpoint: ${endpoint}` }).waitFor();
    await page.getByRole('button', { name: /^Run on / }).click();
  }
  const ends = (/** @type {string} */ word) => state.getByText(word).waitFor();

  await goTo('Run');
  await start('prime-factors');
  await ends('Done');
  await start('fail-halfway');
  await ends('Failed');
  await start('stream-words');
  await ends('Done');
  await start('stream-words');
  await ends('Running');
  await page.getByRole('button', { name: 'Stop' }).click();
  await ends('Cancelled');
  await start('draw-fractal');
  await ends('Done');
  await page.getByRole('region', { name: 'Output' }).getByRole('img').first().waitFor();
  await shoot('run.png');

  await goTo('Jobs');
  const rows = page.getByRole('grid', { name: 'Jobs, newest first' }).getByRole('rowgroup').getByRole('row');
  await rows.first().click();
  await page.getByRole('region', { name: 'Output' }).waitFor();
  await shoot('jobs.png');
} finally {
  await browser.close();
  host.kill('SIGTERM');
  await ended;
  await rm(dataDir, { recursive: true, force: true });
}
