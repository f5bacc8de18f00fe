// GPU prices against the built host, on a machine whose GPUs are what nvidia-smi prints.
import type { Page } from '@playwright/test';
import type { MachineSettings } from '#contract/local/machine.ts';
import { createGpuPrograms, gpuFixture, idleDesktopReport } from '../support/gpus/programs.ts';
import { call, expectNoFault } from './support/handlers.ts';
import { expect, startHost, test } from './support/host.ts';

const GPU = 'NVIDIA GeForce RTX 4090';
const table = (page: Page) => page.getByRole('table', { name: 'GPU types' });
const row = (page: Page, name: string) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name }) });

test(
  'a price that the person sets is kept, and is shown beside what has it',
  { tag: '@journey' },
  async ({ page, shell, host }) => {
    await shell.open('#/gpus');
    const processor = page.getByRole('table', { name: 'CPUs' }).getByRole('row').last();
    await expect(processor).toBeVisible();
    const core = page.getByLabel('CPU core, per hour');
    await core.fill('0.07');
    await core.press('Enter');
    await expect(processor).toContainText('$0.07');
    const prices = async () =>
      (await call<{ machine: MachineSettings }>(host, 'GET', '/local/v1/settings')).machine.prices;
    await expect.poll(prices).toMatchObject({ cpuHour: 0.07 });
    await call(host, 'PATCH', '/local/v1/settings', { machine: { prices: { cpuHour: null } } });
  },
);

test('GPU types have the prices that the person sets; they are filtered, sorted, pinned and compared, and no Pod is offered without a container engine', async ({
  page,
  shell,
}) => {
  test.skip(
    process.platform === 'win32',
    'a program with this name is started by its shebang, which Windows does not know',
  );
  const programs = createGpuPrograms('nvidia-smi');
  programs.says('table', gpuFixture('desktop535.csv'));
  programs.says('report', idleDesktopReport());
  const host = await startHost({ programs: programs.folder, dockerHost: 'unix:///nowhere/docker.sock' });
  try {
    await page.goto(host.link);
    await shell.ready();
    await shell.goTo('GPU prices');
    await expect(row(page, 'RTX 4090')).toContainText('24 GB');
    await expect(row(page, 'RTX 4090')).toContainText('1 of 1 free');

    await test.step('Home has the short name of the only GPU in one line, also in a window of 900 px', async () => {
      await page.setViewportSize({ width: 900, height: 600 });
      await shell.goTo('Home');
      const name = page.getByRole('region', { name: 'This computer' }).getByText('RTX 4090', { exact: true });
      const shape = () =>
        name.evaluate((term) => ({
          isCut: term.scrollWidth > term.clientWidth,
          lines: Math.round(term.clientHeight / parseFloat(getComputedStyle(term).lineHeight)),
        }));
      await expect.poll(shape).toEqual({ isCut: false, lines: 1 });
      await page.setViewportSize({ width: 1280, height: 720 });
      await shell.goTo('GPU prices');
    });

    const prices = page.getByRole('region', { name: 'Prices of this computer' });
    await prices.getByLabel(`${GPU}, per hour`).fill('0.48');
    await prices.getByLabel('CPU core, per hour').fill('0.02');
    await prices.getByLabel('Electricity, per kWh').click();
    await expect(row(page, 'RTX 4090').getByRole('cell').nth(2)).toHaveText('$0.48');
    await expect(row(page, 'RTX 4090').getByRole('cell').nth(4)).toHaveText('$0.020');
    await expect
      .poll(async () => (await call<{ machine: MachineSettings }>(host, 'GET', '/local/v1/settings')).machine.prices)
      .toMatchObject({ gpuHour: { [GPU]: 0.48 }, cpuHour: 0.02 });
    await prices.getByLabel('GB of volume, per month').fill('2000000');
    await prices.getByLabel('Electricity, per kWh').click();
    await expect(prices).toContainText(/From 0 to 1.000.000\./);

    const heads = table(page).getByRole('rowheader');
    await expect(heads).toHaveCount(1);
    await page.getByRole('button', { name: 'Pin RTX 4090' }).click();
    await page.reload();
    await expect(page.getByRole('button', { name: 'Pin RTX 4090' })).toHaveAttribute('aria-pressed', 'true');

    await page.getByLabel('Maximum US dollars per hour').fill('0.1');
    await expect(row(page, 'RTX 4090')).toHaveCount(0);
    await page.getByLabel('Find a GPU').fill('4090');
    await expect(page.getByText('No GPU types match these filters')).toBeVisible();
    await expectNoFault(page, 'nothing fits', 'main');
    await page.getByRole('button', { name: 'Show all 1' }).click();

    await expectNoFault(page, 'all of it', 'main');
    await page.setViewportSize({ width: 640, height: 480 });
    await expect.poll(() => shell.sidewaysScroll()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 720 });

    // Nothing can run a Pod here.
    const deploy = page.getByRole('button', { name: 'Deploy on RTX 4090' });
    await expect(deploy).toHaveAttribute('aria-disabled', 'true');
    await expect(deploy).toHaveAccessibleDescription(/^Pods need a container engine\./);
  } finally {
    await host.stop();
    programs.remove();
  }
});
