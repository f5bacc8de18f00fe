import { ORPCError } from '@orpc/client';
import { cleanup, waitFor } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { PodFacts } from '#contract/api/pod.ts';
import { noAutoStop, type AutoStop, type AutoStopRules } from '#contract/api/autoStop.ts';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import type { PodLack } from '#contract/bridge/pod.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import type { Answers } from '../../../test/support/page/app.ts';
import { noPodConnections } from '../../../test/support/page/podConnections.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { useOverlays } from '../../state/overlays.ts';
import { formatWhen } from '../../ui/text/format.ts';
import { Inspector } from './Inspector.tsx';

const pod = lenientPodSchema.parse({
  id: 'p',
  name: 'trainer',
  createdAt: '2026-01-01T00:00:00.000Z',
  desiredStatus: 'RUNNING',
  costPerHr: 0.5,
  ports: ['8888/http', '7860/http'],
});
const runningFacts: PodFacts = {
  id: 'p',
  preparing: null,
  problem: null,
  runtime: { uptimeInSeconds: 7200, ports: [], gpus: [], container: { cpuPercent: 1, memoryPercent: 1 } },
  httpAddresses: { 8888: 'http://p-8888.localhost/', 7860: 'http://p-7860.localhost/' },
  gpus: [],
};

let accountReads = 0;
beforeEach(() => (accountReads = 0));

/** It does not stop by itself now. */
const autoStopOf = (rules: AutoStopRules): AutoStop => ({
  rules,
  idleSince: null,
  busyWith: null,
  measuredAt: null,
  next: null,
  spentUsd: null,
  stopped: null,
});

const renderInspector = (
  facts: PodFacts | null,
  lacks: PodLack[] = [],
  answers: Answers['pods'] = {},
  shown: Partial<typeof pod> = {},
  rules = noAutoStop,
) =>
  renderPage(
    <Inspector
      accountId={thisComputer.id}
      accountTitle={thisComputer.name}
      overSsh={false}
      spends={false}
      lacks={lacks}
      row={{ pod: { ...pod, ...shown }, facts, autoStop: autoStopOf(rules) }}
      record={{ pod: { ...pod, ...shown }, facts, autoStop: autoStopOf(rules) }}
      containerProblem={null}
      tab="logs"
      onClose={() => undefined}
    />,
    {
      accounts: {
        list() {
          accountReads++;
          return [thisComputer];
        },
      },
      ...noPodConnections,
      pods: { events: () => [], checkPort: () => ({ ready: true, status: 200, problem: null }), ...answers },
      logs: {
        page: () => ({ lines: [], more: false, next: null }),
        async *follow() {
          await new Promise<never>(() => undefined);
        },
      },
    },
  );
type Screen = ReturnType<typeof renderInspector>['screen'];
const tabNames = (screen: Screen) => screen.getAllByRole('tab').map(({ textContent }) => textContent);

it('A Pod is opened on its log, with its cost and its first port above', async () => {
  const { screen, user } = renderInspector(runningFacts);
  expect(await screen.findByText('No lines yet')).toBeVisible();
  expect(tabNames(screen)).toEqual(['Logs', 'Overview', 'Metrics', 'Events', 'Terminal', 'Files', 'Settings', 'JSON']);
  expect(screen.getByText('$0.50/h · ≈ $1.00 since its start')).toBeVisible();
  expect(screen.getByText('This computer')).toBeVisible();
  expect(await screen.findByRole('link', { name: /^Open port 8888/ })).toHaveAttribute(
    'href',
    'http://p-8888.localhost/',
  );
  await user.click(screen.getByRole('button', { name: 'More for trainer' }));
  expect(await screen.findByRole('menuitem', { name: 'Open port 7860' })).toHaveAttribute(
    'href',
    'http://p-7860.localhost/',
  );
});

it('A Pod of an account without logs is opened on its overview', async () => {
  const { screen } = renderInspector(runningFacts, [
    { what: 'logs', reason: 'REST v1 has none.' },
    { what: 'events', reason: 'REST v1 has none.' },
    { what: 'metrics', reason: 'REST v1 has none.' },
  ]);
  expect(screen.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true');
  expect(tabNames(screen)).toEqual(['Overview', 'Terminal', 'Files', 'Settings', 'JSON']);
  // An answer that comes after the test would be missed by the next one.
  await waitFor(() => expect(accountReads).toBeGreaterThan(0));
});

it('A Pod that does not run says why above its log, with links to what it names and to its settings, and offers no port', async () => {
  const { screen, user } = renderInspector({
    ...runningFacts,
    runtime: null,
    problem: 'No GPU: Pod "other" (o1) holds it.',
  });
  expect(await screen.findByText('No lines yet')).toBeVisible();
  expect(screen.getByText(/^No GPU: Pod/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'other' })).toHaveAttribute('href', expect.stringContaining('/pods/o1'));
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  expect(location.hash).toMatch(/^#\/pods\/[^/]+\/settings$/);
  expect(screen.getByText('Not running.')).toBeVisible();
  expect(screen.queryByRole('link', { name: /^Open port/ })).toBeNull();
});

it('A Pod that could not be started says when that is tried again, and is started at once by a button', async () => {
  const acts: unknown[] = [];
  const nextTryAt = new Date(Date.now() + 60_000).toISOString();
  const { screen, user } = renderInspector(
    { ...runningFacts, runtime: null, problem: 'There is no image trainer.', nextTryAt },
    [],
    {
      act(input) {
        acts.push(input);
        return pod;
      },
    },
  );
  const words = `There is no image trainer. Hangar tries again at ${formatWhen(Date.parse(nextTryAt))}.`;
  expect(await screen.findByText(words)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again now' }));
  await waitFor(() => expect(acts).toEqual([{ accountId: thisComputer.id, podId: 'p', action: 'start' }]));
});

it('A Pod that could not be started keeps its buttons while that is tried again', async () => {
  const { screen } = renderInspector({ ...runningFacts, runtime: null, problem: 'There is no image trainer.' });
  await screen.findByText('There is no image trainer.');
  expect(screen.getByRole('button', { name: 'Try again now' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Settings' })).toBeVisible();
});

it.each([
  ['starts', { preparing: 'Pulling trainer, 21 %' }, {}],
  ['is stopped', {}, { desiredStatus: 'EXITED' as const }],
])('A Pod that %s has the buttons of one that runs, which say what they wait for', async (_state, facts, shown) => {
  const { screen, user } = renderInspector({ ...runningFacts, ...facts, runtime: null }, [], {}, shown);
  expect(await screen.findByRole('button', { name: /^(?:Stop…|Start)/ })).toBeVisible();
  for (const name of ['Open port 8888', 'Terminal']) {
    const button = screen.getByRole('button', { name });
    expect(button).toHaveAttribute('aria-disabled', 'true');
    expect(button).toHaveAccessibleDescription('It opens once the Pod runs.');
    await user.click(button);
  }
  expect(location.hash).not.toContain('terminals');
});

it('A crash loop has its count, how it ended and its last lines above the log, and is one state while it runs', async () => {
  const restarts = {
    times: 7,
    endedAt: '2026-03-01T12:00:00.000Z',
    text: 'Its container ended with exit code 127 (its command was not found).',
    lastLines: ['sh: serve: not found'],
    isCrashLoop: true,
    nextStartAt: null,
  };
  const problem = 'Its container ended with exit code 127 (its command was not found) (7 times so far).';
  const { screen } = renderInspector({ ...runningFacts, problem, restarts });
  expect(await screen.findByText('No lines yet')).toBeVisible();
  expect(screen.getByText('Crash loop')).toBeVisible();
  expect(screen.getByText(problem)).toBeVisible();
  expect(screen.getByLabelText('The last lines of trainer')).toHaveTextContent('sh: serve: not found');
});

it('A Pod is renamed without a look at its settings', async () => {
  const changes: unknown[] = [];
  const { screen, user } = renderInspector(runningFacts, [], {
    update(input) {
      changes.push(input);
      return pod;
    },
  });
  expect(await screen.findByText('No lines yet')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'More for trainer' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rename…' }));
  const field = await screen.findByRole('textbox', { name: 'Name' });
  expect(screen.getByRole('button', { name: 'Rename' })).toHaveAccessibleDescription('Nothing has changed.');
  await user.clear(field);
  await user.type(field, 'other{Enter}');
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull());
  expect(changes).toEqual([{ accountId: thisComputer.id, podId: 'p', change: { name: 'other' } }]);
});

it('A Pod is duplicated from its settings, with when it stops by itself', async () => {
  const rules = { idleMinutes: 30, spendUsd: null };
  const { screen, user } = renderInspector(runningFacts, [], {}, {}, rules);
  expect(await screen.findByText('No lines yet')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'More for trainer' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Duplicate…' }));
  expect(useOverlays.getState().newPod).toEqual({ like: pod, autoStop: rules });
});

it('A Pod of an account without events has those of this app, if a rule stops it', async () => {
  const lacks: PodLack[] = [{ what: 'events', reason: 'REST v1 has none.' }];
  const { screen } = renderInspector(runningFacts, lacks, {}, {}, { idleMinutes: null, spendUsd: 5 });
  expect(await screen.findByText('No lines yet')).toBeVisible();
  expect(tabNames(screen)).toContain('Events');
});

it('The page of a program can be opened once its server answers; until then its start is shown, and why it takes time', async () => {
  const requests: unknown[] = [];
  let isReady = false;
  const { screen, user } = renderInspector(
    runningFacts,
    [],
    {
      checkPort({ port, path }) {
        requests.push(`${port}${path}`);
        return isReady
          ? { ready: true, status: 200, problem: null }
          : { ready: false, status: null, problem: 'GET /api on port 8888: nothing listens there.' };
      },
    },
    { imageName: 'quay.io/jupyter/base-notebook:2025-10-21', env: { JUPYTER_TOKEN: 'abc' } },
  );
  const starting = await screen.findByText('Starting JupyterLab…');
  expect(screen.queryByRole('link', { name: /^Open JupyterLab/ })).toBeNull();
  await user.hover(starting);
  expect(await screen.findByText('GET /api on port 8888: nothing listens there.')).toBeVisible();
  isReady = true;
  const link = await screen.findByRole('link', { name: /^Open JupyterLab/ });
  expect(link).toHaveAttribute('href', 'http://p-8888.localhost/lab?token=abc');
  expect(screen.queryByText('Starting JupyterLab…')).toBeNull();
  expect(requests[0]).toBe('8888/api');
});

it('A port at which nothing listens says so, and becomes a link by itself once something answers', async () => {
  let status: number | null = null;
  let answer: () => void = () => undefined;
  const first = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const requests: string[] = [];
  const { screen } = renderInspector(runningFacts, [], {
    async checkPort({ port, path }) {
      requests.push(`${port}${path}`);
      await first;
      return { ready: false, status, problem: 'GET / on port 8888: socket hang up.' };
    },
  });
  expect(await screen.findByText('Trying port 8888…')).toBeVisible();
  answer();
  expect(await screen.findByText('Nothing answers on port 8888 yet')).toBeVisible();
  expect(screen.queryByRole('link', { name: /^Open port 8888/ })).toBeNull();
  // A server of one's own may answer its first page with an error: it listens.
  status = 500;
  expect(await screen.findByRole('link', { name: /^Open port 8888/ })).toBeVisible();
  expect(screen.queryByText('Nothing answers on port 8888 yet')).toBeNull();
  expect(requests[0]).toBe('8888/');
});

it('The page of a program on an account that checks no ports can be opened at once', async () => {
  const { screen } = renderInspector(
    runningFacts,
    [],
    {
      checkPort() {
        throw new ORPCError('UNSUPPORTED', { message: 'It checks none.' });
      },
    },
    { imageName: 'quay.io/jupyter/base-notebook:2025-10-21' },
  );
  expect(await screen.findByRole('link', { name: /^Open JupyterLab/ })).toBeVisible();
});

it('says in the logs of a stopped Pod that it has to run, and of a running one that its output comes', async () => {
  const running = renderInspector(runningFacts);
  expect(await running.screen.findByText('No lines yet')).toBeVisible();
  expect(running.screen.getByText('Output of its container appears here live.')).toBeVisible();
  cleanup();
  const { screen } = renderInspector(null, [], {}, { desiredStatus: 'EXITED' });
  expect(await screen.findByText('No output')).toBeVisible();
  expect(screen.getByText(/^The Pod is stopped, and no output is kept/)).toBeVisible();
});
