import { beforeEach, expect, it, vi } from 'vitest';
import type { PodFacts } from '#contract/api/pod.ts';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import type { PodLack } from '#contract/bridge/pod.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
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

const renderInspector = (facts: PodFacts | null, lacks: PodLack[] = []) =>
  renderPage(
    <Inspector
      accountId={thisComputer.id}
      accountTitle={thisComputer.name}
      overSsh={false}
      spends={false}
      lacks={lacks}
      row={{ pod, facts }}
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
  expect(await screen.findByText('No line yet')).toBeVisible();
  expect(tabNames(screen)).toEqual(['Logs', 'Overview', 'Settings', 'JSON']);
  expect(screen.getByText('$0.50/h · ≈ $1.00 since its start')).toBeVisible();
  expect(screen.getByText('This computer')).toBeVisible();
  expect(screen.getByRole('link', { name: /^Open port 8888/ })).toHaveAttribute('href', 'http://p-8888.localhost/');
  await user.click(screen.getByRole('button', { name: 'More for trainer' }));
  expect(await screen.findByRole('menuitem', { name: 'Open port 7860' })).toHaveAttribute(
    'href',
    'http://p-7860.localhost/',
  );
});

it('A Pod of an account without logs is opened on its overview', async () => {
  const { screen } = renderInspector(runningFacts, [{ what: 'logs', reason: 'REST v1 has none.' }]);
  expect(screen.getByRole('tab', { name: 'Overview' })).toHaveAttribute('aria-selected', 'true');
  expect(tabNames(screen)).not.toContain('Logs');
  // An answer that comes after the test would be missed by the next one.
  await vi.waitFor(() => expect(accountReads).toBeGreaterThan(0));
});

it('A Pod that does not run says why above its log, and offers no port', async () => {
  const { screen } = renderInspector({ ...runningFacts, runtime: null, problem: 'The image does not exist.' });
  expect(await screen.findByText('No line yet')).toBeVisible();
  expect(screen.getByText('The image does not exist.')).toBeVisible();
  expect(screen.getByText('Not running.')).toBeVisible();
  expect(screen.queryByRole('link', { name: /^Open port/ })).toBeNull();
});
