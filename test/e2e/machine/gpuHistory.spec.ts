// What each GPU did and who used it, over a restart of Hangar, on a machine whose GPUs are what nvidia-smi prints.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGpuPrograms, gpusOf, type FakedGpu } from '../../support/gpus/programs.ts';
import { expect, startHost } from '../support/host.ts';
import { test } from '../support/machineTest.ts';

const idle: FakedGpu = { utilPercent: 0, usedMib: 4, temperatureC: 35, powerW: 12, processes: [] };
const game = { pid: 1, name: 'game', mib: 9000 };

test('a GPU shows after a restart how it was loaded before, and by whom, in each range', async ({
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
  const start = async () => {
    const host = await startHost({ programs: programs.folder, home });
    await page.goto(host.link);
    await shell.ready();
    await shell.goTo('This computer');
    return { [Symbol.asyncDispose]: host.stop };
  };
  const gpu = (index: number) => machine.load.getByRole('region', { name: `NVIDIA L4, GPU ${index}`, exact: true });
  const open = (index: number) => gpu(index).getByRole('button', { expanded: false }).first().click();
  const chart = (index: number, period: string) =>
    machine.load.getByRole('img', { name: new RegExp(`^Load of NVIDIA L4, GPU ${index} in the last ${period}: `) });

  say({ ...idle, utilPercent: 64, usedMib: 9100, processes: [game] }, { ...idle, utilPercent: 92, usedMib: 18_000 });
  {
    await using _host = await start();
    await expect(gpu(0)).toContainText(/Used by\s*game 8\.8 GB/);
    await expect(gpu(1)).toContainText(/Used by\s*other programs/);
    for (const index of [0, 1]) await open(index);
    await expect(gpu(0)).toContainText(/by other programs\s*game \(.*up to 8\.8 GB\)/);
    await expect(gpu(1)).toContainText(/by other programs\s*not named by the driver \(.*up to 17\.6 GB\)/);
  }

  say(idle, idle);
  await using _host = await start();
  await expect(gpu(0)).toContainText(/Used by\s*nobody/);
  for (const index of [0, 1]) await open(index);
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
