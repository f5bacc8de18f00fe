import { ORPCError } from '@orpc/server';
import { act, fireEvent, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { AutoStopRules } from '#contract/api/autoStop.ts';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import type { PodCreate } from '#contract/api/pod.ts';
import type { PodChoices } from '#contract/bridge/pod.ts';
import type { Answers } from '../../../../test/support/page/app.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { machineOf } from '../../../../test/support/page/machine.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { closeNewPod, openNewPod, type PodStart } from '../../../state/overlays.ts';
import { DeploySheet } from './DeploySheet.tsx';

afterEach(closeNewPod);

const CPU = {
  id: 'CPU',
  displayName: 'CPU',
  manufacturer: '',
  memoryInGb: 32,
  cudaCores: null,
  secureCloud: true,
  communityCloud: false,
  securePrice: 0,
  communityPrice: 0,
  maxGpuCount: 0,
  lowestPrice: null,
};

interface Deployment {
  start?: PodStart;
  choices?: Partial<PodChoices>;
  machine?: Answers['machine'];
  pods?: Answers['pods'];
  obstacle?: string;
  /** Why the engine refuses the Pod. */
  refusal?: string;
}

/** The open sheet. `sent` has the requests that were made with it, `rules` when their Pods stop by themselves. */
function openSheet({ start = {}, choices = {}, machine = {}, pods = {}, obstacle, refusal }: Deployment = {}) {
  const sent: PodCreate[] = [];
  const rules: (AutoStopRules | undefined)[] = [];
  openNewPod(start);
  const page = renderPage(
    <DeploySheet
      accountId={thisComputer.id}
      target="this computer"
      spends={false}
      address={null}
      hasMachine
      obstacle={obstacle ?? null}
      onMade={() => undefined}
    />,
    {
      accounts: { list: () => [thisComputer] },
      machine: { images: () => [], get: () => machineOf(), ...machine },
      pods: {
        choices: () => ({ templates: [], volumes: [], registryAuths: [], gpuTypes: [CPU], lacks: [], ...choices }),
        create: ({ pod, autoStop }) => {
          if (refusal !== undefined) throw new ORPCError('BAD_REQUEST', { message: refusal });
          sent.push(pod);
          rules.push(autoStop);
          return lenientPodSchema.parse({ id: 'p', name: pod.name });
        },
        ...pods,
      },
    },
  );
  const deploy = () => page.user.click(page.screen.getByRole('button', { name: /^Deploy on/ }));
  return { ...page, sent, rules, deploy };
}

it('A program of the gallery fills the form, and what is changed afterwards is sent', async () => {
  const { screen, user, sent, deploy } = openSheet();
  await user.click(await screen.findByRole('button', { name: /^JupyterLab/ }));
  expect(screen.getByRole('button', { name: /^JupyterLab/ })).toHaveAttribute('aria-pressed', 'true');
  expect(screen.getByLabelText(/^Name/, { selector: '[value="jupyterlab"]' })).toBeVisible();
  expect(screen.getByText(/^Its first page, at port 8888:/)).toBeVisible();
  await user.click(screen.getByLabelText(/^Command/));
  await user.paste('start-notebook.py --debug');
  await deploy();
  expect(sent).toMatchObject([
    {
      name: 'jupyterlab',
      imageName: expect.stringContaining('jupyter/base-notebook:') as string,
      ports: ['8888/http'],
      dockerStartCmd: ['start-notebook.py', '--debug'],
      env: { JUPYTER_TOKEN: expect.stringMatching(/^\w{32}$/) as string },
      volumeMountPath: '/home/jovyan/work',
    },
  ]);
});

it('A program that needs a GPU says so where the Pod would run on the processor', async () => {
  const { screen, user } = openSheet();
  await user.click(await screen.findByRole('button', { name: /^vLLM/ }));
  expect(screen.getByText('vLLM needs a GPU.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: /^Custom image/ }));
  expect(screen.queryByText('vLLM needs a GPU.')).toBeNull();
  expect(screen.getByLabelText(/^Image/, { selector: 'input' })).toHaveValue('');
});

it('A GPU that another Pod takes while the sheet opens is not the one that is preselected', async () => {
  const l4 = (free: number) => ({
    ...CPU,
    id: 'L4',
    displayName: 'L4',
    maxGpuCount: 1,
    lowestPrice: { uninterruptablePrice: 0, stockStatus: 'Low' as const, totalCount: 1, rentedCount: 1 - free },
  });
  let free = 1;
  const offers = {
    choices: () => ({ templates: [], volumes: [], registryAuths: [], gpuTypes: [CPU, l4(free)], lacks: [] }),
  };
  const { screen, user } = openSheet({ pods: offers });
  const field = await screen.findByRole('combobox', { name: 'GPU or CPU' });
  expect(field).toHaveValue('L4, 32 GB, no price, 1 of 1 free');
  act(closeNewPod);
  free = 0;
  act(() => openNewPod({}));
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'GPU or CPU' })).toHaveValue('CPU: CPU, no price'));
  await user.click(screen.getByRole('combobox', { name: 'GPU or CPU' }));
  expect(await screen.findByRole('option', { name: 'L4, 32 GB, no price, none is free' })).toBeVisible();
});

it('What is wrong in a field is said after a click elsewhere, so that the click meets what was pressed', async () => {
  const { screen, user } = openSheet();
  await user.click(await screen.findByRole('button', { name: /^Custom image/ }));
  const memory = screen.getByRole('textbox', { name: 'Maximum memory, GB' });
  await user.type(memory, '4');
  const other = screen.getByRole('textbox', { name: /^Name/ });
  await user.pointer({ keys: '[MouseLeft>]', target: other });
  fireEvent.change(memory, { target: { value: '0.5' } });
  expect(screen.queryByText(/^Enter a whole number/)).toBeNull();
  await user.pointer({ keys: '[/MouseLeft]', target: other });
  expect(await screen.findByText(/^Enter a whole number/)).toBeVisible();
});

it('A refusal leads to what it names, and the sheet closes then', async () => {
  const refusal = 'No GPU is free: Pod "trainer" (p-1) holds it.';
  const { screen, user, deploy } = openSheet({ refusal });
  await user.click(await screen.findByRole('button', { name: /^JupyterLab/ }));
  await deploy();
  expect(await screen.findByText(/^No GPU is free: Pod/)).toBeVisible();
  const link = screen.getByRole('link', { name: 'trainer' });
  expect(link).toHaveAttribute('href', expect.stringContaining('/pods/p-1'));
  await user.click(link);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

const GPU = { ...CPU, id: 'RTX', displayName: 'RTX', maxGpuCount: 4 };

it('begins with the GPU on which the person chose to deploy', async () => {
  const { screen } = openSheet({ start: { gpuTypeId: 'RTX' }, choices: { gpuTypes: [CPU, GPU] } });
  const field = await screen.findByLabelText('GPU or CPU', { selector: 'input' });
  expect(field).toHaveValue('RTX, 32 GB, no price');
});

it('A docker run command in the field of the image fills the form, and what it cannot have is named', async () => {
  const { screen, user, sent, deploy } = openSheet({ choices: { gpuTypes: [CPU, GPU] } });
  await user.click(await screen.findByLabelText(/^Image/, { selector: 'input' }));
  await user.paste(
    'docker run --gpus 2 --network host \\\n --name llm -p 8000:8000 -e A="1 2" -v /data me/llm:1 serve "my model"',
  );
  expect(screen.getByText('Filled in from the docker run command.')).toBeVisible();
  expect(screen.getByText('Not applied: --network host.')).toBeVisible();
  await deploy();
  expect(sent).toMatchObject([
    {
      imageName: 'me/llm:1',
      name: 'llm',
      ports: ['8000/http'],
      env: { A: '1 2' },
      volumeMountPath: '/data',
      dockerStartCmd: ['serve', 'my model'],
      gpuTypeIds: ['RTX'],
      gpuCount: 2,
    },
  ]);
});

it('The cores and the memory of a Pod on GPUs are limited, checked against the machine as they are typed', async () => {
  const memoryOf = { totalBytes: 32.6 * 1024 ** 3, usedBytes: 1024 ** 3 };
  const { screen, user, sent, deploy } = openSheet({
    start: { gpuTypeId: 'RTX' },
    choices: { gpuTypes: [CPU, GPU] },
    machine: { get: () => machineOf({ memory: memoryOf }) },
  });
  const cores = await screen.findByLabelText('Maximum cores');
  const memory = screen.getByLabelText('Maximum memory, GB');
  expect(cores).toHaveValue('');
  expect(screen.getByText('Empty: all 8 cores')).toBeVisible();
  expect(screen.getByText('Empty: all 32.6 GB')).toBeVisible();
  await user.type(cores, '9');
  await user.type(memory, '33');
  const wrongCores = 'Enter a whole number from 1 to 8: the machine has 8 cores.';
  const wrongMemory = 'Enter a whole number from 1 to 32: the machine has 32.6 GB.';
  expect(screen.getByText(wrongCores)).toBeVisible();
  expect(screen.getByText(wrongMemory)).toBeVisible();
  for (const [right, wrong] of [
    ['8', '0'],
    ['1', '1.5'],
    ['2', '-2'],
  ] as const) {
    for (const field of [cores, memory]) await user.clear(field);
    await user.type(cores, right);
    await user.type(memory, wrong);
    expect(screen.queryByText(wrongCores)).toBeNull();
    expect(screen.getByText(wrongMemory)).toBeVisible();
  }
  await user.click(screen.getByLabelText(/^Image/, { selector: 'input' }));
  await user.paste('docker run --cpus 2 --memory 4g --name limited me/llm:1');
  expect(cores).toHaveValue('2');
  expect(memory).toHaveValue('4');
  expect(screen.queryByText(/Not applied/)).toBeNull();
  await deploy();
  expect(sent).toMatchObject([{ gpuTypeIds: ['RTX'], vcpuCount: 2, memoryInGb: 4 }]);
});

it('A Pod without limits asks for none, and one like a limited Pod has its limits', async () => {
  const pod = lenientPodSchema.parse({
    id: 'p',
    name: 'limited',
    imageName: 'me/llm:1',
    volumeMountPath: '/workspace',
    vcpuCount: 3,
    memoryInGb: 32,
    gpuCount: 1,
    gpu: { id: 'RTX', count: 1, displayName: 'RTX' },
  });
  const start = { like: pod, limits: { vcpuCount: 3, memoryInGb: null } };
  const { screen, sent, deploy } = openSheet({ start, choices: { gpuTypes: [CPU, GPU] } });
  expect(await screen.findByLabelText('Maximum cores')).toHaveValue('3');
  expect(screen.getByLabelText('Maximum memory, GB')).toHaveValue('');
  await deploy();
  expect(sent).toMatchObject([{ vcpuCount: 3 }]);
  expect(sent[0]).not.toHaveProperty('memoryInGb');
});

it('A docker run command without a name has a suggested one, and GPUs that nobody can have are named', async () => {
  const { screen, user } = openSheet();
  await user.click(await screen.findByLabelText(/^Image/, { selector: 'input' }));
  await user.paste('docker run --gpus all me/llm:1');
  expect(screen.getByText('Not applied: the GPUs, of which none is free.')).toBeVisible();
  expect(screen.getByLabelText(/^Name/, { selector: '[value="llm"]' })).toBeVisible();
});

it('The images that are on the machine already are suggested with their sizes, and a chosen one says that it is there', async () => {
  const image = { name: 'me/model:2', sizeBytes: 60 * 1024 ** 2, createdAt: '2026-01-01T00:00:00.000Z' };
  const { screen, user } = openSheet({ machine: { images: () => [image, { ...image, name: 'ubuntu:latest' }] } });
  await user.click(await screen.findByLabelText(/^Image/, { selector: 'input' }));
  await user.paste('model');
  await user.click(await screen.findByRole('option', { name: /^me\/model:2.*60 MB$/ }));
  expect(screen.getByLabelText(/^Image/, { selector: 'input' })).toHaveValue('me/model:2');
  expect(screen.getByText('Already on the machine, 60 MB: no pull needed')).toBeVisible();
  await user.clear(screen.getByLabelText(/^Image/, { selector: 'input' }));
  await user.paste('ubuntu');
  expect(screen.getByText(/^Already on the machine/)).toBeVisible();
});

it('The ports are those of an image of the machine, until the person writes others', async () => {
  const at = { sizeBytes: 5, createdAt: '2026-01-01T00:00:00.000Z', containers: [] };
  const images = [
    { ...at, id: 'a', name: 'lab/web:1', ports: ['22/tcp', '53/udp', '8000/tcp'] },
    { ...at, id: 'b', name: 'lab/tools:1', ports: [] },
  ];
  const { screen, user, sent, deploy } = openSheet({ machine: { images: () => images } });
  const image = await screen.findByLabelText(/^Image/, { selector: 'input' });
  const ports = () => screen.getAllByText(/^\d+\/(?:http|tcp)$/).map(({ textContent }) => textContent);
  const write = (name: string) => fireEvent.change(image, { target: { value: name } });
  await user.click(image);
  await screen.findByRole('option', { name: /lab\/web/ });
  write('lab/web:1');
  expect(ports()).toEqual(['22/tcp', '8000/http']);
  for (const name of ['lab/other:1', 'lab/tools:1']) {
    write(name);
    expect(ports(), name).toEqual(['8888/http']);
  }
  await user.type(screen.getByLabelText(/^Ports/, { selector: 'input' }), '9000 ');
  write('lab/web:1');
  expect(ports()).toEqual(['8888/http', '9000/http']);
  await deploy();
  await waitFor(() => expect(sent).toMatchObject([{ imageName: 'lab/web:1', ports: ['8888/http', '9000/http'] }]));
});

it('The suggestions of images close once a docker run command was pasted or dropped, and come back for a name', async () => {
  const image = { name: 'me/model:2', sizeBytes: 60 * 1024 ** 2, createdAt: '2026-01-01T00:00:00.000Z' };
  const { screen, user } = openSheet({ machine: { images: () => [image] } });
  const field = await screen.findByLabelText(/^Image/, { selector: 'input' });
  const command = 'docker run --name llm me/model:2';
  for (const give of [
    () => user.paste(command),
    () => fireEvent.drop(field, { dataTransfer: { getData: () => command } }),
  ]) {
    await user.click(field);
    await user.clear(field);
    expect(await screen.findByRole('option', { name: /^me\/model:2/ })).toBeVisible();
    await give();
    expect(field).toHaveValue('me/model:2');
    await waitFor(() => expect(screen.queryByRole('option', { name: /^me\/model:2/ })).toBeNull());
    expect(field).toHaveAttribute('aria-expanded', 'false');
  }
});

it('The sheet says what the Pod would run on, and who has the GPUs of a type that is taken', async () => {
  const gpu = {
    uuid: 'GPU-0',
    index: 0,
    typeId: 'RTX',
    vendor: 'nvidia' as const,
    memoryBytes: 22.5 * 1024 ** 3,
    driverVersion: null,
    enabled: true,
    shared: false,
    heldBy: [{ podId: 'p', podName: 'trainer' }],
    load: null,
  };
  const lowestPrice = { uninterruptablePrice: 0, stockStatus: null, totalCount: 1, rentedCount: 1 };
  const { screen, user } = openSheet({
    choices: { gpuTypes: [CPU, { ...GPU, lowestPrice }] },
    machine: { get: () => machineOf({ gpus: [gpu] }) },
  });
  expect(await screen.findByText('No GPU is free: the Pod runs on the CPU.')).toBeVisible();
  expect(screen.getByRole('list', { name: 'GPUs of the machine' })).toHaveTextContent('GPU 0used by Pod trainer');
  await user.click(screen.getByLabelText('GPU or CPU', { selector: 'input' }));
  expect(
    await screen.findByRole('option', { name: /^RTX, 22\.5 GB, .*none is free *used by Pod trainer$/ }),
  ).toBeVisible();
});

it('A port is checked while it is typed, and a number is completed', async () => {
  const { screen, user, sent, deploy } = openSheet();
  await user.click(await screen.findByLabelText(/^Image/, { selector: 'input' }));
  await user.paste('ubuntu');
  const ports = screen.getByLabelText('Ports', { selector: 'input' });
  await user.type(ports, '99999');
  expect(screen.getByText('99999 is not a valid port. Ports are numbers from 1 to 65535.')).toBeVisible();
  await user.clear(ports);
  await user.type(ports, '22{Enter}');
  await deploy();
  expect(sent).toMatchObject([{ ports: ['8888/http', '22/tcp'] }]);
});

it('When the Pod stops by itself is checked and sent beside it, and a spend cap is offered only for hardware with a price', async () => {
  const { screen, user, sent, rules, deploy } = openSheet({
    choices: { gpuTypes: [CPU, { ...GPU, securePrice: 0.5 }] },
  });
  await user.click(await screen.findByLabelText(/^Image/, { selector: 'input' }));
  await user.paste('ubuntu');
  const choose = async (hardware: RegExp) => {
    await user.click(screen.getByLabelText('GPU or CPU', { selector: 'input' }));
    await user.click(await screen.findByRole('option', { name: hardware }));
  };
  await choose(/^CPU/);
  expect(screen.getByText(/A spend cap needs a price/)).toBeVisible();
  await choose(/^RTX/);
  await user.click(screen.getByLabelText('When it has cost, US dollars'));
  await user.paste('2.5');
  expect(screen.getByText(/at \$0\.50\/h, the Pod stops after 5 h\./)).toBeVisible();
  const minutes = screen.getByLabelText('When idle for, minutes');
  await user.type(minutes, '99999');
  expect(screen.getByText(/^From 1 to 10.080\./)).toBeVisible();
  await deploy();
  expect(sent).toEqual([]);
  await user.clear(minutes);
  await user.type(minutes, '30');
  await deploy();
  expect(rules).toEqual([{ idleMinutes: 30, spendUsd: 2.5 }]);
  expect(sent[0]).not.toHaveProperty('idleMinutes');
});

it('without a container engine says how to get one instead of a form, and leads back to where it was opened', async () => {
  location.hash = '#/pods';
  const { screen, user } = openSheet({
    start: { from: { page: 'gpus' } },
    obstacle: 'No container engine was found. Install Docker: sudo apt-get install docker.io.',
  });
  expect(await screen.findByRole('list', { name: 'Commands' })).toHaveTextContent('sudo apt-get install docker.io');
  expect(screen.getByRole('button', { name: 'Check again' })).toBeVisible();
  expect(screen.queryByRole('combobox', { name: 'Image' })).toBeNull();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(location.hash).toBe('#/gpus'));
});
