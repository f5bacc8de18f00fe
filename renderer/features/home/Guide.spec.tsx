import { act, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Machine } from '#contract/local/machine.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { endpointRow, pythonHandler, readinessOf } from '../../../test/support/page/endpoints.ts';
import { machineOf } from '../../../test/support/page/machine.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { createSampler } from '../../../test/support/page/sampler.ts';
import { SampleFeeds } from '../../client/changes/SampleFeeds.tsx';
import { orpc, queryClient } from '../../client/transport/orpc.ts';
import { targetAccount } from '../../state/selection.ts';
import { Guide } from './Guide.tsx';

afterEach(() => void vi.useRealTimers());

const row = (name: string) => ({ ...endpointRow(null), id: name, name });
const answers = (available: boolean, endpoints: string[], problem: string | null = null) => ({
  machine: {
    get: () => machineOf({ containers: { available, name: 'Docker', version: '28', address: null, problem } }),
  },
  endpoints: {
    now: () => ({ rows: endpoints.map(row), pause: null }),
    choices: () => ({
      volumes: [],
      registryAuths: [],
      gpuTypes: null,
      folders: true,
      imageProblem: null,
      samples: [{ name: 'stream-words', description: null }],
      names: [],
    }),
  },
});

it('a step is done once its check is, and says what was found', async () => {
  const { screen } = renderPage(<Guide hasJobs={false} />, answers(true, ['stream-words']));
  const steps = within(await screen.findByRole('list')).getAllByRole('listitem');
  expect(
    steps.map((step) =>
      within(step)
        .getByLabelText(/^(Done|Open|Skipped)$/)
        .getAttribute('aria-label'),
    ),
  ).toEqual(['Done', 'Done', 'Open', 'Open']);
  expect(steps[1]).toHaveTextContent('Docker 28 found');
});

it('GPUs are counted by their type', async () => {
  const gpuOf = (index: number, typeId: string, gb: number) => ({
    uuid: `GPU-${index}`,
    index,
    typeId,
    vendor: 'nvidia' as const,
    memoryBytes: gb * 1024 ** 3,
    driverVersion: null,
    enabled: true,
    shared: false,
    heldBy: [],
    load: null,
  });
  const gpus = [gpuOf(0, 'RTX 4090', 24), gpuOf(1, 'L4', 22), gpuOf(2, 'RTX 4090', 24)];
  const { screen } = renderPage(<Guide hasJobs={false} />, {
    ...answers(true, []),
    machine: { get: () => machineOf({ gpus }) },
  });
  expect(await screen.findByText('2 × RTX 4090, 24 GB · L4, 22 GB · 8 cores, 32.0 GB of memory')).toBeVisible();
});

it.each([
  [
    'Docker is installed, but it is not running. Start it: sudo systemctl enable --now docker.',
    /^Docker is installed, but it is not running\. Handlers from a folder need none\.$/,
  ],
  [
    'The engine at unix:///run/my.sock is for root only. Use another.',
    /^The engine at unix:\/\/\/run\/my\.sock is for root only\. Handlers/,
  ],
  [null, /^No container engine answers\. Handlers/],
])('a container engine that cannot be used is told of by what is wrong: %s', async (problem, words) => {
  const { screen } = renderPage(<Guide hasJobs={false} />, answers(false, ['stream-words'], problem));
  expect(await screen.findByText(words)).toBeVisible();
});

it('a step is skipped by itself, and all that are left at once; each can be undone', async () => {
  const { screen, user } = renderPage(<Guide hasJobs={false} />, answers(false, ['stream-words']));
  await user.click(await screen.findByRole('button', { name: 'Skip: Container engine' }));
  expect(screen.getByLabelText('Skipped')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'What to do' })).toBeNull();
  const undo = async (done: string) => {
    const notice = (await screen.findByText(done)).closest<HTMLElement>('[role=alert]')!;
    await user.click(within(notice).getByRole('button', { name: 'Undo' }));
  };
  await user.click(screen.getByRole('button', { name: 'Skip all' }));
  expect(screen.queryByRole('region', { name: 'First steps' })).toBeNull();
  await undo('Skipped the first steps');
  expect(await screen.findByRole('region', { name: 'First steps' })).toBeVisible();
  expect(screen.getByLabelText('Skipped')).toBeVisible();
  await undo('Skipped: Container engine');
  expect(await screen.findByRole('button', { name: 'What to do' })).toBeVisible();
});

it('a container engine that is started is seen without a question, and so is one that is stopped', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { streams, say, open } = createSampler<Machine>();
  const { machine, ...others } = answers(false, ['stream-words']);
  let questions = 0;
  const get = () => {
    questions++;
    return machine.get();
  };
  const { screen } = renderPage(
    <>
      <SampleFeeds />
      <Guide hasJobs={false} />
    </>,
    { accounts: { list: () => [thisComputer] }, machine: { get, machineSamples: open }, ...others },
  );
  expect(await screen.findByText(/^No container engine answers/)).toBeVisible();
  await waitFor(() => expect(streams).toHaveLength(1));
  for (const isThere of [true, false, true]) {
    await say(answers(isThere, []).machine.get());
    expect(await screen.findByText(isThere ? /^Docker 28 found/ : /^No container engine answers/)).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(60_000));
  }
  expect(questions).toBe(1);
});

it('an endpoint whose workers crash is not called ready', async () => {
  const trouble = { deaths: 2, reason: 'no (handler.py:2)', lastLines: [], nextTryAt: null };
  const broken = { ...row('mine'), readiness: { ...readinessOf(pythonHandler), trouble } };
  const { screen } = renderPage(<Guide hasJobs={false} />, {
    ...answers(true, []),
    endpoints: { ...answers(true, []).endpoints, now: () => ({ rows: [broken], pause: null }) },
  });
  expect(
    await screen.findByText('mine exists, but cannot run jobs now. no (handler.py:2). 2 workers failed in a row.'),
  ).toBeVisible();
});

it('nothing is shown once all is done', async () => {
  const { screen } = renderPage(
    <>
      <Guide hasJobs={false} />
      <Guide hasJobs />
    </>,
    answers(true, ['stream-words', 'mine']),
  );
  expect(await screen.findAllByRole('region', { name: 'First steps' })).toHaveLength(1);
  expect(screen.getByText('mine is ready for your scripts.')).toBeVisible();
});

it('the rest of the page is seen once it is known whether there are steps above it', async () => {
  let answer = (): void => undefined;
  const pending = new Promise<void>((resolve) => (answer = resolve));
  const { endpoints, ...others } = answers(true, []);
  const waiting = { ...others, endpoints: { ...endpoints, choices: async () => (await pending, endpoints.choices()) } };
  const { screen } = renderPage(<Guide hasJobs={false}>the rest</Guide>, waiting);
  expect(screen.getByText('the rest')).not.toBeVisible();
  answer();
  expect(await screen.findByRole('region', { name: 'First steps' })).toBeVisible();
  expect(screen.getByText('the rest')).toBeVisible();
});

it('the rest of the page is seen after a second, also where the checks take longer', async () => {
  const { endpoints, ...others } = answers(true, []);
  const never = { ...others, endpoints: { ...endpoints, choices: () => new Promise<never>(() => undefined) } };
  const { screen } = renderPage(<Guide hasJobs={false}>the rest</Guide>, never);
  expect(screen.getByText('the rest')).not.toBeVisible();
  await waitFor(() => expect(screen.getByText('the rest')).toBeVisible());
});

it('while another account is the target, the steps name it and lead back to this computer', async () => {
  targetAccount.set('lab');
  const { user, screen } = renderPage(<Guide hasJobs={false} />, {
    ...answers(true, ['stream-words']),
  });
  const accounts = [thisComputer, { ...thisComputer, id: 'lab', name: 'lab' }];
  act(() => void queryClient.setQueryData(orpc.accounts.list.queryKey(), accounts));
  expect(await screen.findByText(/^Everything runs on lab until/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Run a sample' }));
  expect(targetAccount.get()).toBe(thisComputer.id);
});
