// The limits of a Pod on GPUs, from the sheet to its container: GPUs are what nvidia-smi prints, the container is real.
import { cpus } from 'node:os';
import { startContainerEngine } from '../../support/containers/engine.ts';
import { makeShellImage } from '../../support/containers/images.ts';
import { createGpuPrograms, gpuFixture, idleDesktopReport } from '../../support/gpus/programs.ts';
import { expectNoFault } from '../support/handlers.ts';
import { watchTop } from '../support/layout.ts';
import { expect, startHost, test } from './containerHost.ts';

const STAYS = `/bin/sh -c "trap 'exit 0' TERM; while :; do sleep 0.2; done"`;
const CORES = 'Maximum cores';
const MEMORY = 'Maximum memory, GB';

test('a Pod on GPUs has the cores and the memory that it was deployed with or changed to, and bad limits are said where they are typed', async ({
  page,
  shell,
  pods,
}) => {
  using programs = createGpuPrograms('nvidia-smi');
  programs.says('table', gpuFixture('desktop535.csv'));
  programs.says('report', idleDesktopReport());
  programs.addContainerHook();
  await using containers = await startContainerEngine({ programs: programs.folder });
  await makeShellImage(containers.docker, 'hangar-pod:1');
  const host = await startHost({ dockerHost: containers.host, programs: programs.folder });
  await using _host = { [Symbol.asyncDispose]: host.stop };
  const container = async () => {
    const [{ Id } = { Id: '' }] = await containers.docker.listContainers();
    return containers.docker.getContainer(Id).inspect();
  };
  const inspect = async () => (await container()).HostConfig;
  await page.goto(host.link);
  await shell.ready();
  await shell.goTo('Pods');
  await pods.begin();
  await expect(pods.field('GPU or CPU')).toHaveValue(/RTX 4090/);
  await pods.fill({ Image: 'hangar-pod:1', Name: 'limited', Command: STAYS, [CORES]: '99', [MEMORY]: '99999' });
  await expect(pods.sheet).toContainText(`from 1 to ${cpus().length}: the machine has ${cpus().length} core`);
  await expect(pods.sheet).toContainText(/Enter a whole number from 1 to \d+: the machine has [\d.]+ GB\./);
  await pods.fill({ [CORES]: '0', [MEMORY]: '1.5' });
  await expect(pods.sheet.getByText(/^Enter a whole number from 1 to \d+: /)).toHaveCount(2);
  await pods.fill({ [CORES]: '1', [MEMORY]: '1' });
  await expectNoFault(page, 'limits', '[role=dialog]');
  const tabs = await watchTop(page, '[aria-label=Pod] [role=tablist]');
  await pods.deploy();
  await pods.tab('Overview');
  await expect(pods.state).toHaveText('Running');
  // A click on a tab hits it, whatever the Pod does meanwhile.
  expect(await tabs.read()).toHaveLength(1);
  await expect(pods.inspector).toContainText('1 core, 1 GB of memory');
  expect(await inspect()).toMatchObject({
    NanoCpus: 1e9,
    Memory: 2 ** 30,
    MemorySwap: 2 ** 30,
    DeviceRequests: [{ DeviceIDs: [expect.stringMatching(/^GPU-/)], Capabilities: [['gpu']] }],
  });
  await pods.remove('limited');
  await expect.poll(async () => (await containers.docker.listContainers({ all: true })).length).toBe(0);
  await pods.begin();
  await pods.fill({ Image: 'hangar-pod:1', Name: 'free', Command: STAYS });
  await pods.deploy();
  await expect(pods.state).toHaveText('Running');
  expect(await inspect()).toMatchObject({ NanoCpus: 0, Memory: 0 });
  // They are changed in its settings, while its container runs on.
  const { Id, State } = await container();
  await pods.tab('Settings');
  await pods.setting(MEMORY).fill('99999');
  await expect(
    pods.inspector.getByText(/^Enter a whole number from 1 to \d+: the machine has [\d.]+ GB\.$/),
  ).toBeVisible();
  await pods.setting(MEMORY).fill('2');
  await pods.setting(CORES).fill('1');
  await pods.inspector.getByRole('button', { name: 'Review and save…' }).click();
  const review = page.getByRole('dialog');
  await expect(review).toContainText('all of the machine');
  await expect(review).toContainText('The container continues.');
  await expectNoFault(page, 'review of limits', '[role=dialog]');
  await review.getByRole('button', { name: /^Save/ }).click();
  await expect.poll(inspect).toMatchObject({ NanoCpus: 1e9, Memory: 2 * 2 ** 30 });
  expect(await container()).toMatchObject({ Id, State: { StartedAt: State.StartedAt } });
  await pods.tab('Overview');
  await expect(pods.inspector).toContainText('1 core, 2 GB of memory');
  await pods.remove('free');
  await expect.poll(async () => (await containers.docker.listContainers({ all: true })).length).toBe(0);
});
