// The GPUs of this computer, what each did and who used it, over a restart of Hangar, on a machine whose GPUs are what
// nvidia-smi prints.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '#contract/local/settings.ts';
import { createGpuPrograms, gpuFixture, gpusOf, type FakedGpu } from '../../support/gpus/programs.ts';
import { freePort } from '../../support/http/freePort.ts';
import type { MachinePage } from '../pages/machinePage.ts';
import { expectNoFault } from '../support/handlers.ts';
import { expect, startHost, type Host } from '../support/host.ts';
import { call, test } from '../support/machineTest.ts';

const idle: FakedGpu = { utilPercent: 0, usedMib: 4, temperatureC: 35, powerW: 12, processes: [] };
const game = { pid: 1, name: 'game', mib: 9000 };

/** On the page of a computer whose GPU is that of the fixture desktop535. */
async function keepOrShare(machine: MachinePage, host: Host): Promise<void> {
  const gpu = machine.load.getByRole('region', { name: /^NVIDIA .*GPU 0$/ });
  await expect(gpu.getByRole('heading', { level: 3 })).toContainText(/GeForce|RTX|Quadro/);
  await expect(gpu).toContainText(/Load\s*\d+ %/);
  await expect(gpu).toContainText(/\d+ °C/);
  await expect(gpu).toContainText(/Used by/);
  const loadOf = (what: RegExp) => machine.load.getByRole('img', { name: what });
  await expect(loadOf(/^Load of NVIDIA .*GPU 0 in the last hour: \d+ %/)).toBeVisible();
  const cpu = machine.load.getByRole('region', { name: 'CPU', exact: true });
  await cpu.getByRole('button', { expanded: false }).click();
  await expect(loadOf(/^Load of the CPU in the last hour: \d+ %/)).toBeVisible();
  const chosen = async () => Object.values((await call<Settings>(host, 'GET', '/local/v1/settings')).machine.gpus);
  await gpu.locator('label').filter({ hasText: 'Share it' }).click();
  await expect.poll(chosen).toMatchObject([{ shared: true }]);
  await gpu.locator('label').filter({ hasText: 'Available to workers' }).click();
  await expect(gpu).toContainText('Reserved for you. Workers do not use it.');
  await expect.poll(chosen).toMatchObject([{ enabled: false, shared: true }]);
  await expectNoFault(machine.page, 'with a GPU', 'main');
}

test('each GPU is shown with its load and its users, is kept or shared by a switch, and shows after a restart how it was loaded before, and by whom', async ({
  page,
  shell,
  machine,
}) => {
  test.skip(process.platform === 'win32', 'Windows starts no program by its shebang');
  const home = await mkdtemp(join(tmpdir(), 'hangar-e2e-gpus-'));
  await using _home = { [Symbol.asyncDispose]: () => rm(home, { recursive: true, force: true, maxRetries: 5 }) };
  using programs = createGpuPrograms('nvidia-smi');
  const say = (...gpus: FakedGpu[]) => {
    const { table, report } = gpusOf(gpus);
    programs.says('table', table);
    programs.says('report', report);
  };
  const port = String(await freePort());
  const start = async () => {
    const host = await startHost({ programs: programs.folder, home, flags: ['--ui-port', port] });
    return Object.assign(host, { [Symbol.asyncDispose]: host.stop });
  };
  const gpu = (index: number) => machine.load.getByRole('region', { name: `NVIDIA L4, GPU ${index}`, exact: true });
  const open = (index: number) => gpu(index).getByRole('button', { expanded: false }).first().click();
  const chart = (index: number, period: string) =>
    machine.load.getByRole('img', { name: new RegExp(`^Load of NVIDIA L4, GPU ${index} in the last ${period}: `) });

  programs.says('table', gpuFixture('desktop535.csv'));
  programs.says('report', gpuFixture('desktop535.txt'));
  {
    await using host = await start();
    await page.goto(host.link);
    await shell.ready();
    await shell.goTo('This computer');
    await test.step('a GPU is shown with its load and its users, and is kept or shared by a switch', () =>
      keepOrShare(machine, host));
    await test.step('a driver that fails is told', async () => {
      programs.says('broken', 'NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver.');
      await expect(machine.load).toContainText('could not communicate with the NVIDIA driver');
    });
    programs.says('broken', null);
    say({ ...idle, utilPercent: 64, usedMib: 9100, processes: [game] }, { ...idle, utilPercent: 92, usedMib: 18_000 });
    await expect(gpu(0)).toContainText(/Used by\s*game 8\.8 GB/);
    await expect(gpu(1)).toContainText(/Used by\s*other programs/);
    for (const index of [0, 1]) await open(index);
    await expect(gpu(0)).toContainText(/by other programs\s*game \(.*up to 8\.8 GB\)/);
    await expect(gpu(1)).toContainText(/by other programs\s*not named by the driver \(.*up to 17\.6 GB\)/);
  }

  say(idle, idle);
  // At the same address, so the page that is open goes on by itself.
  await using _host = await start();
  await expect(gpu(0)).toContainText(/Used by\s*nobody/);
  for (const [range, period] of [
    ['15 min', '15 minutes'],
    ['1 h', 'hour'],
    ['6 h', '6 hours'],
    ['24 h', '24 hours'],
  ] as const) {
    await machine.load.getByText(range, { exact: true }).click();
    await expect(chart(0, period)).toHaveAccessibleName(/64 %/);
    await expect(gpu(0)).toContainText(/by other programs\s*game \(.*up to 8\.8 GB\)/);
    await expect(gpu(1)).toContainText(/by other programs\s*not named by the driver/);
  }
});
