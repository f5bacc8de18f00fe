// Billing against the built host: what a worker used is recorded, told, and saved as a file.
import { readFileSync } from 'node:fs';
import { call, expectNoFault, makeEndpoint } from './support/handlers.ts';
import { expect, test } from './support/host.ts';

test(
  'what a worker used is told by day, resource, GPU and endpoint, and is saved as CSV',
  { tag: '@journey' },
  async ({ page, shell, host }) => {
    try {
      await call(host, 'PATCH', '/local/v1/settings', { machine: { prices: { cpuHour: 3600 } } });
      const id = await makeEndpoint(host, 'paid, "dearly"', 'export default () => 1;', { idleTimeout: 1 });
      await call(host, 'POST', `/v2/${id}/runsync`, { input: {} });
      await expect
        .poll(() => call<unknown[]>(host, 'GET', '/v1/billing/endpoints?grouping=endpointId'), 'billed endpoints')
        .toContainEqual(expect.objectContaining({ endpointId: id }));
      await shell.open('#/billing');
      const table = page.getByRole('table', { name: 'Usage' });
      await expect(table.getByRole('row', { name: 'Total' })).toContainText('$');
      await expect(page.getByRole('img', { name: /as bars$/ }).locator('canvas')).toBeVisible();
      const choose = async (what: 'Period' | 'Told by', option: string) => {
        await page.getByRole('combobox', { name: what }).click();
        await page.getByRole('option', { name: option }).click();
      };
      await choose('Told by', 'By GPU');
      await expect(table.getByRole('rowheader', { name: 'CPU' })).toBeVisible();
      await choose('Told by', 'By endpoint');
      await expect(table.getByRole('rowheader', { name: 'paid, "dearly"' })).toBeVisible();
      await choose('Period', 'Last month');
      await expect(page.getByText('Nothing was used in this time')).toBeVisible();
      await choose('Period', '24 hours');
      await choose('Told by', 'By resource');
      await expect(table.getByRole('rowheader', { name: 'paid, "dearly"' })).toBeVisible();

      const coming = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV' }).click();
      const saved = readFileSync(await (await coming).path(), 'utf8').split('\r\n');
      expect(saved[0]).toBe('time,kind,id,name,hours,disk_gb,amount_usd');
      expect(saved).toContainEqual(expect.stringContaining(`,endpoint,${id},"paid, ""dearly""",`));
      await expectNoFault(page, 'with usage');
      await page.setViewportSize({ width: 640, height: 400 });
      await expect.poll(() => shell.sidewaysScroll()).toBe(0);
    } finally {
      await call(host, 'PATCH', '/local/v1/settings', { machine: { prices: { cpuHour: null } } });
    }
  },
);
