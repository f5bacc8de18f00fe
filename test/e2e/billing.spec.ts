// Billing against the built host: what a worker used is recorded, told, and saved as a file.
import { readFileSync } from 'node:fs';
import { call, expectNoFault, makeEndpoint } from './support/handlers.ts';
import { enginePid, expect, startHost, test } from './support/host.ts';

test('what a worker used is told by day, resource, GPU and endpoint, and is saved as CSV; before it, nothing was used', async ({
  page,
  shell,
}) => {
  test.slow(true, 'axe looks at it as well');
  const host = await startHost();
  try {
    await page.goto(host.link);
    await shell.ready();
    await shell.goTo('Billing');
    await expect(page.getByText('Nothing was used in this time')).toBeVisible();
    await expectNoFault(page, 'empty', 'main');
    await call(host, 'PATCH', '/local/v1/settings', { machine: { prices: { cpuHour: 3600 } } });
    const id = await makeEndpoint(host, 'paid, "dearly"', 'export default () => 1;', { idleTimeout: 1 });
    await call(host, 'POST', `/v2/${id}/runsync`, { input: {} });
    await expect
      .poll(async () => (await call<unknown[]>(host, 'GET', '/v1/billing/endpoints')).length, { timeout: 30_000 })
      .toBeGreaterThan(0);
    await page.reload();
    const table = page.getByRole('table', { name: 'Usage' });
    await expect(table.getByRole('rowheader')).toHaveCount(2);
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
    expect(saved[1]).toContain(`,endpoint,${id},"paid, ""dearly""",`);
    await expectNoFault(page, 'with usage');
    await page.setViewportSize({ width: 640, height: 400 });
    await expect.poll(() => shell.sidewaysScroll()).toBe(0);
  } finally {
    await host.stop();
  }
});

test('a history that cannot be read says so, and is read once the engine answers again', async ({
  page,
  shell,
  host,
}) => {
  const pid = enginePid(host);
  test.skip(pid === null, 'this system does not tell which process is the engine');
  await page.clock.install();
  await shell.open('#/run');
  process.kill(pid ?? 0, 'SIGSTOP');
  try {
    await shell.goTo('Billing');
    await expect(page.getByRole('group', { name: 'Loading' })).toBeVisible();
    await expect(async () => {
      await page.clock.fastForward(4000);
      await expect(page.getByText('The history could not be read')).toBeVisible({ timeout: 100 });
    }).toPass();
    // Its process is there, and the shell says nevertheless that nobody is served.
    await expect(page.getByTestId('engine-status')).toContainText('does not answer', { timeout: 40_000 });
    await expect(page.getByTestId('engine-status').locator('[data-tone="bad"]')).toBeVisible();
  } finally {
    process.kill(pid ?? 0, 'SIGCONT');
  }
  await expect(page.getByText('The history could not be read')).toBeHidden();
  await expect(page.getByTestId('engine-status').locator('[data-tone="ok"]')).toBeVisible();
});
