// The metrics of an endpoint against the built host: real jobs, counted by the engine.
import { call, expectNoFault, makeEndpoint } from '../support/handlers.ts';
import { expect, test } from '../support/host.ts';

const HALF_FAILS = `export default ({ input }) => { if (input.fail) throw new Error('no'); return 1; };`;

test('the jobs of an endpoint are charts over the period that a person chooses', async ({
  page,
  shell,
  endpoints,
  host,
}) => {
  const id = await makeEndpoint(host, 'measured', HALF_FAILS, { workersMax: 1 });
  await shell.open(`#/endpoints/${id}`);
  await endpoints.tab('Metrics');
  await expect(endpoints.inspector).toContainText('No job yet');
  for (const fail of [false, false, true]) await call(host, 'POST', `/v2/${id}/runsync`, { input: { fail } });

  await endpoints.period('1 h');
  await expect(endpoints.inspector).toContainText(/3 jobs, 33 % failed, p95 \d/);
  const jobs = endpoints.chart('Jobs');
  await expect(jobs).toContainText('2 done, 1 failed');
  // The chart of jobs points at a time, and every chart tells its number of that time.
  const over = jobs.locator('.u-over');
  const box = (await over.boundingBox())!;
  await over.hover({ position: { x: box.width / 4, y: box.height / 2 } });
  await expect(jobs).toContainText('none');
  await expect(endpoints.chart('Run time')).toContainText('none');
  await page.mouse.move(0, 0);
  await expect(jobs).toContainText('2 done, 1 failed');

  await endpoints.period('30 d');
  await expect(jobs.getByRole('img', { name: /^Jobs in the last 30 days: 2 done, 1 failed/ })).toBeVisible();
  await endpoints.inspector.getByText('Show the numbers as a table').click();
  const table = endpoints.inspector.getByRole('table', { name: 'Metrics of the last 30 days' });
  await expect(table.locator('tbody tr')).toHaveCount(1);
  await expect(table.locator('tbody tr')).toContainText('21');
  await expectNoFault(page, 'the metrics with their table', '[aria-label=Endpoint]');

  await page.setViewportSize({ width: 420, height: 800 });
  await expect(jobs.locator('canvas')).toBeVisible();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);

  await page.setViewportSize({ width: 1440, height: 900 });
  await shell.open('#/endpoints');
  await expect(endpoints.list.getByRole('columnheader', { name: 'p95' })).toBeVisible();
  await expect(endpoints.row('measured')).toContainText(/\d+ ms/);
});
