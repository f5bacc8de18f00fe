import { act, waitFor, within } from '@testing-library/react';
import { ORPCError } from '@orpc/client';
import { afterEach, expect, it, vi } from 'vitest';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import type { PodFacts } from '#contract/api/pod.ts';
import type { PodsNow } from '#contract/bridge/pod.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { noPodConnections } from '../../../test/support/page/podConnections.ts';
import { queryClient } from '../../client/transport/orpc.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { podFactsOf } from '../../../test/support/pods/podFacts.ts';
import { createSampler } from '../../../test/support/page/sampler.ts';
import { ChangeFeeds } from '../../client/changes/ChangeFeeds.tsx';
import { SampleFeeds } from '../../client/changes/SampleFeeds.tsx';
import { commandsNow } from '../../state/commands.ts';
import { targetAccount } from '../../state/selection.ts';
import PodsPage from './PodsPage.tsx';

afterEach(() => void vi.useRealTimers());

it('The list of Pods says why it does not show what they do just now', async () => {
  const pod = lenientPodSchema.parse({ id: 'p', name: 'trainer' });
  const { screen } = renderPage(<PodsPage podId={null} tab="logs" />, {
    accounts: { list: () => [thisComputer] },
    pods: {
      now: () => ({
        rows: [{ pod, facts: null }],
        factsProblem: 'The key was refused.',
        lacks: [],
        containerProblem: null,
      }),
    },
  });
  expect(await screen.findByText('The key was refused.')).toBeVisible();
  expect(screen.getByText('trainer')).toBeVisible();
});

it.each([
  ['this computer', thisComputer, true],
  ['a cloud', { ...thisComputer, id: 'work', name: 'work', kind: 'cloud' as const }, false],
])('The palette looks again for a container engine on %s: %s', async (_, account, has) => {
  targetAccount.set(account.id);
  const pod = lenientPodSchema.parse({ id: 'p', name: 'trainer' });
  const { screen } = renderPage(<PodsPage podId={null} tab="logs" />, {
    accounts: { list: () => [thisComputer, account] },
    pods: { now: () => ({ rows: [{ pod, facts: null }], factsProblem: null, lacks: [], containerProblem: null }) },
  });
  await screen.findByText('trainer');
  const labels = commandsNow().map(({ label }) => label);
  expect(labels.some((label) => label.startsWith('Deploy a Pod on'))).toBe(true);
  expect(labels.includes('Check again for a container engine')).toBe(has);
  targetAccount.set(thisComputer.id);
});

it('What the container engine lacks stands once on the page, and not again at each Pod that needs it', async () => {
  const missing = 'No container engine was found. Install Docker: sudo apt-get install docker.io.';
  const rows = ['a', 'b'].map((id) => ({
    pod: lenientPodSchema.parse({ id, name: id, desiredStatus: 'RUNNING' }),
    facts: podFactsOf({ id, problem: missing }),
  }));
  const { screen } = renderPage(<PodsPage podId="a" tab="events" />, {
    accounts: { list: () => [thisComputer] },
    ...noPodConnections,
    pods: { now: () => ({ rows, factsProblem: null, lacks: [], containerProblem: missing }), events: () => [] },
  });
  const short = await screen.findAllByText('The container engine does not answer.');
  expect(short.length).toBeGreaterThanOrEqual(2);
  expect(screen.getAllByText(missing)).toHaveLength(1);
});

it('The JSON of a Pod has what the engine said, where the list has it in short', async () => {
  queryClient.clear();
  const missing = 'No container engine was found. Install Docker: sudo apt-get install docker.io.';
  const row = {
    pod: lenientPodSchema.parse({ id: 'a', name: 'a', desiredStatus: 'RUNNING' }),
    facts: podFactsOf({ id: 'a', problem: missing }),
  };
  const { screen } = renderPage(<PodsPage podId="a" tab="json" />, {
    accounts: { list: () => [thisComputer] },
    ...noPodConnections,
    pods: { now: () => ({ rows: [row], factsProblem: null, lacks: [], containerProblem: missing }) },
  });
  const json = await screen.findByRole('region', { name: 'Pod as JSON' });
  expect(json).toHaveTextContent(`"problem": "${missing}"`);
});

it('Without a container engine the page says how to get one, and goes on once one is there', async () => {
  const missing = 'No container engine was found. Install Docker: sudo apt-get install docker.io.';
  let containerProblem: string | null = missing;
  const { screen, user } = renderPage(<PodsPage podId={null} tab="logs" />, {
    accounts: { list: () => [thisComputer] },
    pods: { now: () => ({ rows: [], factsProblem: null, lacks: [], containerProblem }) },
  });
  expect(await screen.findByText('Pods need a container engine')).toBeVisible();
  expect(screen.getByRole('list', { name: 'Commands' })).toHaveTextContent('sudo apt-get install docker.io');
  // Said once: what a command is for stands at the command.
  expect(screen.getByText('No container engine was found.')).toBeVisible();
  expect(screen.getAllByText(/apt-get/)).toHaveLength(1);
  expect(screen.queryByRole('alert')).toBeNull();
  const deploy = screen.getByRole('button', { name: /^Deploy on/ });
  expect(deploy).toHaveAttribute('aria-disabled', 'true');
  expect(deploy).toHaveAccessibleDescription('Pods need a container engine.');
  expect(commandsNow().map(({ label }) => label)).toContain('Check again for a container engine');
  containerProblem = null;
  await user.click(screen.getByRole('button', { name: 'Check again' }));
  expect(await screen.findByText('No Pods on this computer')).toBeVisible();
  expect(screen.getByRole('button', { name: /^Deploy on/ })).not.toHaveAttribute('aria-disabled');
});

const runningPod = lenientPodSchema.parse({
  id: 'p',
  name: 'trainer',
  desiredStatus: 'RUNNING',
  createdAt: '2026-01-01T00:00:00.000Z',
});
const noLogs: PodsNow['lacks'] = [
  { what: 'logs', reason: 'It has none.' },
  { what: 'events', reason: 'It has none.' },
  { what: 'metrics', reason: 'It has none.' },
];
const stopped = { ...runningPod, desiredStatus: 'EXITED' as const };

/** The page with one Pod. The app answers to a stop as `act` says. */
async function stopPod(act: () => Promise<typeof stopped>) {
  let pod: typeof runningPod = runningPod;
  const { screen, user } = renderPage(<PodsPage podId="p" tab="overview" />, {
    ...noPodConnections,
    accounts: { list: () => [thisComputer] },
    pods: {
      now: () => ({ rows: [{ pod, facts: null }], factsProblem: null, lacks: noLogs, containerProblem: null }),
      act: async () => (pod = await act()),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Stop…' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stop the Pod' }));
  return { screen, user, row: () => within(screen.getByRole('grid', { name: 'Pods' })) };
}

it('A stop closes its dialog at once, and the row says that it is under way until it is done', async () => {
  let answer = (_pod: typeof stopped): void => undefined;
  const { screen, user, row } = await stopPod(() => new Promise((resolve) => (answer = resolve)));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(row().getByText('Stopping…')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Stop…' })).toHaveAccessibleDescription('It is being stopped.');
  await user.click(screen.getByRole('button', { name: 'More for trainer' }));
  for (const name of ['Restart…', 'Reset…', 'Delete…']) {
    expect(await screen.findByRole('menuitem', { name })).toHaveAccessibleDescription('It is being stopped.');
  }
  expect(screen.getByText('It is being stopped.')).toBeVisible();
  await user.keyboard('{Escape}');
  answer(stopped);
  expect(await row().findByText('Stopped')).toBeVisible();
  expect(row().queryByText('Stopping…')).toBeNull();
});

it('A stop that fails says why, and the row is as before', async () => {
  const { screen, row } = await stopPod(() => Promise.reject(new Error('out of reach')));
  expect(await screen.findByText('trainer was not stopped')).toBeVisible();
  await waitFor(() => expect(row().queryByText('Stopping…')).toBeNull());
});

it('The head counts the states of all Pods and what they cost, and the list says how often a Pod was restarted', async () => {
  const restarts = {
    times: 2,
    endedAt: '2026-03-01T12:00:00.000Z',
    text: 'Its container ended because memory ran out.',
    lastLines: [],
    isCrashLoop: false,
    nextStartAt: null,
  };
  const runtime = { uptimeInSeconds: 60, ports: [], gpus: [], container: null };
  const facts = { id: 'p', preparing: null, problem: null, runtime, httpAddresses: {}, gpus: [], restarts };
  const rows = [
    { pod: { ...runningPod, costPerHr: 0.5 }, facts },
    { pod: { ...runningPod, id: 'q', costPerHr: 0.25 }, facts: null },
    { pod: { ...stopped, id: 'r', costPerHr: 9 }, facts: null },
  ];
  const { screen } = renderPage(<PodsPage podId={null} tab="logs" />, {
    accounts: { list: () => [thisComputer] },
    pods: { now: () => ({ rows, factsProblem: null, lacks: [], containerProblem: null }) },
  });
  expect(await screen.findByText('1 running, 1 starting, 1 stopped · $0.75/h')).toBeVisible();
  expect(screen.getByText('restarted 2×')).toHaveAttribute('title', expect.stringContaining('memory ran out'));
});

const withLoad = (memoryPercent: number): PodFacts => ({
  id: 'p',
  preparing: null,
  problem: null,
  runtime: { uptimeInSeconds: 60, ports: [], gpus: [], container: { cpuPercent: 1, memoryPercent } },
  httpAddresses: {},
  gpus: [],
});

/** The page beside what follows an engine: its changes are reported, and `samples` sends the load of Pods. */
function renderFollowing(
  first: PodFacts | null,
  samples: (everyMs: number, signal: AbortSignal) => AsyncGenerator<PodFacts[]>,
) {
  const questions = { count: 0 };
  let facts = first;
  let report = (): void => undefined;
  const page = renderPage(
    <>
      <ChangeFeeds />
      <SampleFeeds />
      <PodsPage podId={null} tab="logs" />
    </>,
    {
      accounts: { list: () => [thisComputer] },
      machine: {
        async *changes(_, signal) {
          yield { changes: [{ about: 'all' as const, id: null }] };
          while (!signal.aborted) {
            await new Promise<void>((resolve) => {
              report = resolve;
              signal.addEventListener('abort', () => resolve());
            });
            yield { changes: [{ about: 'pod' as const, id: 'p' }] };
          }
        },
      },
      pods: {
        samples: ({ everyMs }, signal) => samples(everyMs, signal),
        now() {
          questions.count++;
          return { rows: [{ pod: runningPod, facts }], factsProblem: null, lacks: [], containerProblem: null };
        },
      },
    },
  );
  const change = (next: PodFacts) =>
    act(async () => {
      facts = next;
      report();
    });
  return { ...page, questions, change };
}

it('The load of a Pod comes as its engine sends it, from its start to its end, and nothing asks for it', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { streams, say, open } = createSampler<PodFacts[]>();
  const { screen, questions, change } = renderFollowing(null, (everyMs, signal) => open({ everyMs }, signal));
  const row = async (text: string) => expect(await screen.findByRole('gridcell', { name: text })).toBeVisible();
  await waitFor(() => expect(questions.count).toBe(2));
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect([questions.count, streams.length]).toEqual([2, 0]);
  await change(withLoad(10));
  await row('10 %');
  await waitFor(() => expect(streams).toEqual([{ everyMs: 2000, isOpen: true }]));
  for (const load of [20, 30, 40]) {
    await say([withLoad(load)]);
    await row(`${load} %`);
    await act(() => vi.advanceTimersByTimeAsync(60_000));
  }
  // One for the Pod that began to run.
  expect(questions.count).toBe(3);
  await say([{ ...withLoad(0), runtime: null }]);
  await waitFor(() => expect(streams[0]?.isOpen).toBe(false));
});

it('The load of a Pod is read every two seconds from an engine that is too old to send it', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let opened = 0;
  const { questions } = renderFollowing(withLoad(10), async function* () {
    opened++;
    throw new ORPCError('UNSUPPORTED', { message: 'The Hangar of this account is too old.' });
  });
  await waitFor(() => expect(opened).toBe(1));
  const before = questions.count;
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  await waitFor(() => expect(questions.count).toBeGreaterThanOrEqual(before + 29));
  expect(opened).toBe(1);
});
