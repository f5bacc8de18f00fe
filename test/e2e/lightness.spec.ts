// What a browser loads, and when: the requests of a new window for each page.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { RECORD, type BundleRecord } from '../../scripts/plugins/bundlePlugins.mjs';
import { makeEndpoint } from './support/handlers.ts';
import { expect, test } from './support/host.ts';

const record = JSON.parse(
  readFileSync(join(resolve(import.meta.dirname, '../..'), 'out/renderer', RECORD), 'utf8'),
) as BundleRecord;

// A process that has shown the page before asks for nothing again.
test.use({ ownContext: true });

/** What is large, by the package that it is made of. */
const HEAVY = {
  editor: '@codemirror/view',
  charts: 'uplot',
  markdown: 'marked',
  terminal: '@xterm/xterm',
};

/** The files that hold a module of ours. */
const filesWith = (module: string): string[] =>
  Object.entries(record).flatMap(([file, { modules }]) => (modules.includes(module) ? [file] : []));
/** Home stands in the file that all views need. */
const OTHER_VIEW = /^renderer\/features\/(?!home|run|shell)\w+\/\w+Page\.tsx$/;

/** The heavy parts among all files that the window asks for from now on. */
function watchHeavy(page: Page): () => string[] {
  const packages = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    for (const folder of record[pathname.slice(1)]?.packages ?? []) packages.add(folder);
  });
  return () =>
    Object.entries(HEAVY)
      .filter(([, name]) => packages.has(`node_modules/${name}`))
      .map(([part]) => part);
}

test('Home, Endpoints, Jobs and Pods load neither editor, charts, markdown nor terminal', async ({ page, shell }) => {
  const heavy = watchHeavy(page);
  await shell.open('#/home');
  for (const title of ['Home', 'Endpoints', 'Jobs', 'Pods'] as const) {
    await test.step(title, async () => {
      await shell.goTo(title);
      await page.waitForLoadState('networkidle');
      expect(heavy()).toEqual([]);
    });
  }
});

test('each large part comes with its first use', async ({ page, host, shell, run, endpoints }) => {
  const heavy = watchHeavy(page);
  await makeEndpoint(host, 'report', `export default () => '# Report\\n\\n- one\\n- two';`);
  await shell.open('#/run');
  await run.choose('report');
  await run.write('{"input": {}}');
  await page.waitForLoadState('networkidle');
  expect(heavy()).toEqual(['editor']);

  await run.run();
  await run.expectState('Done');
  await expect(
    page.getByRole('region', { name: 'Output', exact: true }).getByRole('heading', { name: 'Report' }),
  ).toBeVisible();
  expect(heavy()).toEqual(['editor', 'markdown']);

  await shell.goTo('Terminals');
  await expect.poll(heavy).toEqual(['editor', 'markdown', 'terminal']);

  await shell.goTo('Endpoints');
  await endpoints.open('report');
  await endpoints.tab('Metrics');
  await expect.poll(heavy).toEqual(['editor', 'charts', 'markdown', 'terminal']);
});

/** Every file takes the browser time of its own, before any of them runs. */
const MOST_FILES = 12;

test('a view comes in few files, which are asked for before the page itself runs', async ({ page, host }) => {
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname.slice(1)));
  // The page never runs, so whatever is asked for was known before.
  const [entry] = filesWith('renderer/main.tsx');
  await page.route(`**/${entry}`, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.goto(`${host.page}/#/run`);
  const [view] = filesWith('renderer/features/run/RunPage.tsx');
  await expect.poll(() => paths).toContain(view);
  await page.waitForLoadState('networkidle');
  const others = Object.keys(record).filter((file) => record[file]?.modules.some((module) => OTHER_VIEW.test(module)));
  expect(paths.filter((path) => others.includes(path))).toEqual([]);
  expect(paths.filter((path) => path.endsWith('.js')).length).toBeLessThanOrEqual(MOST_FILES);
});
