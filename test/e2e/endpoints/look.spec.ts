// What everybody must be able to see and reach on the Endpoints page: by keys, in both themes, in narrow windows.
import type { Endpoint } from '#contract/api/resources.ts';
import type { Page } from '@playwright/test';
import type { EndpointsPage } from '../pages/endpointsPage.ts';
import { call, chatty, expectNoFault, makeEndpoint, writeHandler } from '../support/handlers.ts';
import { expect, test } from '../support/host.ts';
import { wideParts } from '../support/layout.ts';
import { visit } from '../support/pictures.ts';

/** Points into the charts, and shows their numbers as a table. */
async function useCharts(page: Page, endpoints: EndpointsPage): Promise<void> {
  await endpoints.period('1 h');
  const jobs = endpoints.chart('Jobs');
  await expect(jobs).toContainText('1 done');
  // The chart of jobs points at a time, and every chart tells its number of that time.
  const over = jobs.locator('.u-over');
  const box = (await over.boundingBox())!;
  await over.hover({ position: { x: box.width / 4, y: box.height / 2 } });
  await expect(jobs).toContainText('none');
  await expect(endpoints.chart('Run time')).toContainText('none');
  await page.mouse.move(0, 0);
  await expect(jobs).toContainText('1 done');
  await endpoints.inspector.getByText('Show the numbers as a table').click();
  const table = endpoints.inspector.getByRole('table', { name: 'Metrics of the last hour' });
  // On a slow machine, what the endpoint did lies in several spans of time.
  await expect(table.locator('tbody tr').first()).toBeVisible();
  await page.setViewportSize({ width: 420, height: 800 });
  await expect(jobs.locator('canvas')).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await page.setViewportSize({ width: 1280, height: 720 });
}

test('the page is used by keys alone, beside an open endpoint and in a small window', async ({
  page,
  shell,
  endpoints,
  host,
}) => {
  await shell.open('#/run');
  await test.step('by keys alone an endpoint is found, opened, closed, and a new one is begun', async () => {
    await page.keyboard.press('ControlOrMeta+3');
    await expect(endpoints.list).toBeFocused();
    const names = (await call<Endpoint[]>(host, 'GET', '/v1/endpoints')).length;
    await expect(endpoints.rows).toHaveCount(names);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const second = (await endpoints.rows.nth(1).locator('b').textContent()) ?? '';
    await expect(endpoints.inspector.getByRole('heading', { level: 2 })).toHaveText(second);
    await page.keyboard.press('Escape');
    await expect(endpoints.inspector).toBeHidden();
    await page.keyboard.press('n');
    await expect(endpoints.field('Name')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(endpoints.sheet).toBeHidden();
  });
  await test.step('beside an open endpoint, the row of one that crashes still says so in whole words', async () => {
    await makeEndpoint(host, 'never-starts', "import 'no-such-package';");
    const id = await makeEndpoint(host, 'open-beside', chatty);
    const { id: crashing } = (await call<Endpoint[]>(host, 'GET', '/v1/endpoints')).find(({ name }) =>
      name.startsWith('never-starts'),
    ) as Endpoint;
    await call(host, 'POST', `/v2/${crashing}/run`, { input: {} });
    await page.setViewportSize({ width: 1280, height: 800 });
    await visit(page, `#/endpoints/${id}`);
    const cell = endpoints.row('never-starts').getByRole('gridcell').nth(2);
    // Beside a worker that starts, the list has room for the shapes and numbers only.
    const words = async (): Promise<{ text: string; cut: number }> =>
      cell.evaluate((place: HTMLElement) => ({
        text: place.innerText.replaceAll(/\s+/g, ' ').trim(),
        cut: [place, ...place.querySelectorAll('span')].filter(
          ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1,
        ).length,
      }));
    await expect.poll(words).toEqual({ text: '1 failing', cut: 0 });
    await call(host, 'DELETE', `/v1/endpoints/${crashing}`);
  });
  await test.step('in a small window nothing scrolls sideways, and all is reached', async () => {
    await visit(page, '#/endpoints');
    for (const viewport of [
      { width: 900, height: 600 },
      { width: 640, height: 400 },
    ]) {
      await page.setViewportSize(viewport);
      await endpoints.open('stream-words');
      // Where there is no room for both, the endpoint takes the place of the list.
      if (viewport.width < 700) await expect(endpoints.list).toBeHidden();
      for (const tab of ['Overview', 'Metrics', 'Workers', 'Logs', 'Settings'] as const) {
        await endpoints.tab(tab);
        await expect.poll(() => shell.sidewaysScroll(), `${tab} at ${viewport.width}`).toBe(0);
      }
      await endpoints.inspector.getByLabel('Execution timeout, s').scrollIntoViewIfNeeded();
      await expect(endpoints.inspector.getByLabel('Execution timeout, s')).toBeInViewport();
      await endpoints.begin('Folder');
      await endpoints.field('Execution timeout, s').scrollIntoViewIfNeeded();
      await expect(endpoints.field('Execution timeout, s')).toBeInViewport();
      await page.keyboard.press('Escape');
      await expect(endpoints.sheet).toBeHidden();
      await page.keyboard.press('Escape');
      await expect(endpoints.list).toBeVisible();
      await expect(endpoints.inspector).toBeHidden();
    }
  });
});

test('axe finds nothing on the list, on metrics that are used, on an idle worker, on the sheets and on a dialog, light or dark', async ({
  page,
  shell,
  endpoints,
  host,
}) => {
  await test.step('axe finds nothing on a list with run times, on metrics that are used and on an idle worker', async () => {
    const id = await makeEndpoint(host, 'looked-at', chatty, { workersMin: 1 });
    await call(host, 'POST', `/v2/${id}/runsync`, { input: { steps: 3 } });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await shell.open('#/endpoints');
    await expect(endpoints.row('looked-at')).toContainText('idle');
    // Where there is room, the list has the run times of the last hours, too.
    await expect(endpoints.list.getByRole('columnheader', { name: 'p95' })).toBeVisible();
    await expect(endpoints.row('looked-at')).toContainText(/\d m?s\b/);
    await expectNoFault(page, 'the list', 'main');
    await page.setViewportSize({ width: 1280, height: 720 });
    await endpoints.open('looked-at');
    // The other tabs are in accessiblePages.spec.ts.
    await endpoints.tab('Metrics');
    await useCharts(page, endpoints);
    await expectNoFault(page, 'the metrics as a table', '[aria-label=Endpoint]');
    await endpoints.tab('Workers');
    await expect(endpoints.lanes).toBeVisible();
    await expectNoFault(page, 'a worker that is idle', '[aria-label=Endpoint]');
  });
  await test.step('axe finds nothing on the sheets and the dialogs', async () => {
    const id = await makeEndpoint(host, 'asked-about', chatty);
    await visit(page, `#/endpoints/${id}/settings`);
    await endpoints.inspector.getByLabel('Maximum workers').fill('2');
    await endpoints.inspector.getByRole('button', { name: 'Review and save…' }).click();
    await expect(endpoints.dialog('Change asked-about?')).toBeVisible();
    await expectNoFault(page, 'the differences', '[role=dialog]');
    await page.keyboard.press('Escape');
    await endpoints.begin('Folder');
    await endpoints.fill({ Folder: writeHandler('asked-about', chatty) });
    await expect(endpoints.sheet.getByText(/Runs handler\.mjs/)).toBeVisible();
    await expectNoFault(page, 'from a folder', '[role=dialog]');
    await endpoints.source('Container image');
    await endpoints.sheet.getByRole('button', { name: /^Create on/ }).click();
    await expectNoFault(page, 'from an image', '[role=dialog]');
    await endpoints.source('Sample');
    await expect(endpoints.sheet.getByRole('listitem').first()).toBeVisible();
    await expectNoFault(page, 'from a sample', '[role=dialog]');
  });
});

test('axe finds nothing on a paused endpoint, and the form for its copy fits a narrow window', async ({
  page,
  shell,
  endpoints,
  host,
}) => {
  const id = await makeEndpoint(host, 'at-rest', chatty, { workersMax: 0 });
  await call(host, 'POST', `/v2/${id}/run`, { input: { steps: 1 } });
  await shell.open(`#/endpoints/${id}`);
  await expect(endpoints.state).toHaveText('Paused');
  await expectNoFault(page, 'a paused endpoint', '[aria-label=Endpoint]');
  await endpoints.menu('Duplicate…');
  await expect(endpoints.field('Name')).toHaveValue('at-rest-2');
  await page.setViewportSize({ width: 420, height: 800 });
  await expect(async () => expect(await wideParts(page)).toEqual([])).toPass();
});
