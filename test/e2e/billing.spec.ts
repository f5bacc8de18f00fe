// Billing against the built host: what a worker used is recorded, told, and saved as a file.
import { readFileSync } from 'node:fs';
import { call, expectNoFault, makeEndpoint } from './support/handlers.ts';
import { expect, test, type Host } from './support/host.ts';

const DAY_MS = 24 * 3_600_000;

/** The start of the last hour in which workers of this endpoint ran; undefined before the first record. */
async function lastHourOf(host: Host, endpointId: string): Promise<string | undefined> {
  const query = `grouping=endpointId&bucketSize=hour&endpointId=${endpointId}`;
  return (await call<{ time: string }[]>(host, 'GET', `/v1/billing/endpoints?${query}`)).at(-1)?.time;
}

test(
  'what a worker used is told by day, resource, GPU and endpoint, and is saved as CSV',
  { tag: '@journey' },
  async ({ page, shell, host }) => {
    try {
      await call(host, 'PATCH', '/local/v1/settings', { machine: { prices: { cpuHour: 3600 } } });
      const id = await makeEndpoint(host, 'paid, "dearly"', 'export default () => 1;', { idleTimeout: 1 });
      await call(host, 'POST', `/v2/${id}/runsync`, { input: {} });
      const usedIn = () => lastHourOf(host, id);
      await expect.poll(usedIn, 'the hour in which the worker ran').toBeDefined();
      // The clock of the page stands within the hour of the usage, also if an hour or a month ends meanwhile.
      const hour = Date.parse((await usedIn()) ?? '');
      await page.clock.setFixedTime(hour);
      await shell.open('#/billing');
      const table = page.getByRole('table', { name: 'Usage' });
      await expect(table.getByRole('row', { name: 'Total' })).toContainText('$');
      await expect(page.getByRole('img', { name: /as bars$/ }).locator('canvas')).toBeVisible();
      const choose = async (what: 'Period' | 'Group by', option: string) => {
        await page.getByRole('combobox', { name: what }).click();
        await page.getByRole('option', { name: option }).click();
      };
      await choose('Group by', 'By GPU');
      await expect(table.getByRole('rowheader', { name: 'CPU' })).toBeVisible();
      await choose('Group by', 'By endpoint');
      await expect(table.getByRole('rowheader', { name: 'paid, "dearly"' })).toBeVisible();
      // In two months, the last month has no usage, also of journeys that ran before this one.
      await page.clock.setFixedTime(hour + 62 * DAY_MS);
      await page.reload();
      await choose('Period', 'Last month');
      await expect(page.getByText('No usage in this period')).toBeVisible();
      await page.clock.setFixedTime(hour);
      await page.reload();
      await choose('Period', '24 hours');
      await choose('Group by', 'By resource');
      await expect(table.getByRole('rowheader', { name: 'paid, "dearly"' })).toBeVisible();

      const coming = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV' }).click();
      const saved = readFileSync(await (await coming).path(), 'utf8').split('\r\n');
      expect(saved[0]).toBe('time,kind,id,name,hours,disk_gb,amount_usd');
      expect(saved).toContainEqual(expect.stringContaining(`,endpoint,${id},"paid, ""dearly""",`));
      await expectNoFault(page, 'with usage', 'main');

      // What is deleted keeps its name in the bills.
      const name = table.getByRole('rowheader', { name: 'paid, "dearly"' });
      await expect(name.getByRole('link')).toBeVisible();
      await call(host, 'DELETE', `/v1/endpoints/${id}`);
      await page.reload();
      await choose('Period', '24 hours');
      await choose('Group by', 'By resource');
      await expect(name).toBeVisible();
      await expect(name.getByRole('link')).toHaveCount(0);
      await page.setViewportSize({ width: 640, height: 400 });
      await expect.poll(() => shell.sidewaysScroll()).toBe(0);
    } finally {
      await call(host, 'PATCH', '/local/v1/settings', { machine: { prices: { cpuHour: null } } });
    }
  },
);
