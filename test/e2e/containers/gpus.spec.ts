// Pods in real containers, and a worker, on a machine with three GPUs: the driver's tool and the hook of the container
// engine are stand-ins, so that the containers start without a GPU in them.
import type { Pod } from '#contract/api/pod.ts';
import { startContainerEngine } from '../../support/containers/engine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { createGpuPrograms, gpusOf, type FakedGpu } from '../../support/gpus/programs.ts';
import { containersOf } from '../../support/pods/pods.ts';
import { MachinePage } from '../pages/machinePage.ts';
import { expectFocusIn } from '../pages/focus.ts';
import { call, expectNoFault, makeEndpoint } from '../support/handlers.ts';
import { expect, startHost, test } from './containerHost.ts';

const STAYS = `/bin/sh -c "trap 'exit 0' TERM; while :; do sleep 0.2; done"`;
const idle: FakedGpu = { utilPercent: 0, usedMib: 1, temperatureC: 40, powerW: 20, processes: [] };
/** A program of somebody else. Its id is of no process here. */
const drawn: FakedGpu = {
  utilPercent: 97,
  usedMib: 9001,
  temperatureC: 71,
  powerW: 68,
  processes: [{ pid: 4_194_000, name: 'blender', mib: 9000 }],
};

test('the idle GPU is given first, taken ones are marked with who has them, and use of Hangar is shown apart from other programs', async ({
  page,
  shell,
  pods,
}) => {
  const programs = createGpuPrograms('nvidia-smi');
  await using _programs = { [Symbol.asyncDispose]: async () => programs.remove() };
  programs.addContainerHook();
  const say = (...gpus: FakedGpu[]): void => {
    const { table, report } = gpusOf(gpus);
    programs.says('table', table);
    programs.says('report', report);
  };
  say(drawn, idle, idle);
  await using containers = await startContainerEngine({ programs: programs.folder });
  await makeShellImage(containers.docker, 'hangar-gpus:1');
  const host = await startHost({ dockerHost: containers.host, programs: programs.folder });
  await using _host = { [Symbol.asyncDispose]: host.stop };
  const list = pods.sheet.getByRole('list', { name: 'GPUs of the machine' }).getByRole('listitem');
  const machine = new MachinePage(page);

  await page.goto(host.link);
  await shell.ready();
  await shell.goTo('Pods');
  await test.step('the sheet says which GPU the Pod would get, and who uses another', async () => {
    await pods.begin();
    await expect(pods.field('GPU or CPU')).toHaveValue(/^L4, 22.5 GB/);
    await expect(pods.sheet).toContainText('2 of 3 free, 1 in use that a Pod can share');
    await expect(list).toHaveText([
      'GPU 0used by other programs (blender 8.8 GB)',
      'GPU 1idlefor this Pod',
      'GPU 2idle',
    ]);
    await expectNoFault(page, 'the sheet with GPUs', '[role=dialog]');
    await list.first().scrollIntoViewIfNeeded();
    await pods.fill({ Image: 'hangar-gpus:1', Name: 'trainer', Command: STAYS });
    await pods.deploy();
    await expect(pods.sheet).toBeHidden();
    await expect(pods.state).toHaveText('Running');
  });
  const [pod] = await call<Pod[]>(host, 'GET', '/v1/pods');
  const [container] = await containersOf(containers, pod!.id);
  const { HostConfig, State } = await containers.docker.getContainer(container!.Id).inspect();
  expect(HostConfig.DeviceRequests).toMatchObject([{ DeviceIDs: ['GPU-1'], Capabilities: [['gpu']] }]);

  await test.step('a GPU that a Pod has is marked with its name, and the next one is that which is still idle', async () => {
    const training = { pid: State.Pid, name: 'python', mib: 4000 };
    say(drawn, { ...idle, utilPercent: 55, usedMib: 4001, processes: [training] }, idle);
    await pods.begin();
    await expect(list).toHaveText([
      'GPU 0used by other programs (blender 8.8 GB)',
      'GPU 1used by Pod trainer',
      'GPU 2idlefor this Pod',
    ]);
    await expectFocusIn(pods.sheet);
    await page.keyboard.press('Escape');
    await expect(pods.sheet).toBeHidden();
  });

  await test.step('a worker gets the last idle one; the users of each GPU are named, and linked where they are of Hangar', async () => {
    const id = await makeEndpoint(host, 'drawer', 'export default () => null;', {
      computeType: 'GPU',
      gpuTypeIds: ['NVIDIA L4'],
      gpuCount: 1,
      workersMin: 1,
      workersMax: 1,
    });
    await shell.goTo('This computer');
    const users = (index: number) => machine.load.getByRole('region', { name: `NVIDIA L4, GPU ${index}`, exact: true });
    const now = (index: number) => users(index).getByRole('paragraph').first();
    await expect(now(2).getByRole('link', { name: 'drawer' })).toHaveAttribute('href', `#/endpoints/${id}`);
    await expect(now(1).getByRole('link', { name: 'Pod trainer' })).toHaveAttribute(
      'href',
      `#/pods/${pod!.id}/overview`,
    );
    // The process of its container is the Pod's, not another program.
    await expect(now(1)).toHaveText('Used by Pod trainer 3.9 GB');
    await expect(now(0)).toContainText('Used by blender 8.8 GB');
    await expect(users(0).getByRole('link')).toHaveCount(0);
    // Closed, all of them and the processor are seen at once.
    const highest = () =>
      machine.load
        .getByRole('region')
        .evaluateAll((rows) => Math.max(...rows.map((row) => row.getBoundingClientRect().height)));
    await expect.poll(highest).toBeLessThan(80);
    for (const index of [0, 1, 2]) await users(index).getByRole('button', { expanded: false }).click();
    const used = (index: number, who: 'by Hangar' | 'by other programs') =>
      users(index).locator(`dt:text-is("${who}") + dd`);
    await expect(used(0, 'by Hangar')).toHaveText('nobody');
    await expect(used(0, 'by other programs')).toContainText(/^blender \(.*up to 8\.8 GB\)$/);
    await expect(used(1, 'by Hangar')).toContainText(/^Pod trainer \(.*up to 3\.9 GB\)$/);
    await expect(used(1, 'by other programs')).toHaveText('nobody');
    await expect(used(2, 'by Hangar')).toContainText(/^drawer \(/);
    await expectNoFault(page, 'three GPUs', 'main');
  });

  await test.step('once no idle one is left, the sheet says that the last one is in use', async () => {
    await shell.goTo('Pods');
    await pods.begin();
    await expect(list).toHaveText([
      'GPU 0used by other programs (blender 8.8 GB)for this Pod',
      'GPU 1used by Pod trainer',
      'GPU 2used by endpoint drawer',
    ]);
    await expect(pods.sheet).toContainText('0 of 3 free, 1 in use that a Pod can share');
  });
});
