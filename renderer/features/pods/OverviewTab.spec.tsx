import { describe, expect, it } from 'vitest';
import type { PodFacts } from '#contract/api/pod.ts';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { noPodConnections } from '../../../test/support/page/podConnections.ts';
import { podFactsOf } from '../../../test/support/pods/podFacts.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { OverviewTab } from './OverviewTab.tsx';

const pod = lenientPodSchema.parse({ id: 'p', name: 'trainer', createdAt: '2026-01-01T00:00:00.000Z' });
const facts = podFactsOf();
const renderOverview = (podFacts: PodFacts | null) =>
  renderPage(<OverviewTab accountId={thisComputer.id} overSsh={false} row={{ pod, facts: podFacts }} />, {
    ...noPodConnections,
    accounts: { list: () => [thisComputer] },
  });

const unlimited = 'containerDiskInGb (50) is not enforced: the storage of the container engine has no quotas.';
/** In the words of the window. */
const unlimitedWords = unlimited.replace('containerDiskInGb', '"Container disk"');

describe('the overview of a Pod', () => {
  it('opens its volume in VS Code where it has SSH of its own', async () => {
    const way = { host: '203.0.113.7', port: 22022, username: 'root', command: 'ssh root@203.0.113.7 -p 22022' };
    const proxy = { host: 'ssh.example', port: 22, username: 'p-1', command: 'ssh p-1@ssh.example' };
    const running = lenientPodSchema.parse({ ...pod, desiredStatus: 'RUNNING', volumeMountPath: '/data' });
    const { screen } = renderPage(<OverviewTab accountId="cloud" overSsh row={{ pod: running, facts }} />, {
      accounts: { list: () => [thisComputer] },
      ssh: { forwards: () => [], ways: () => ({ direct: way, proxy, problem: null }) },
    });
    const links = await screen.findAllByRole('link', { name: 'Open in VS Code' });
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      'vscode://vscode-remote/ssh-remote+root@203.0.113.7:22022/data',
    ]);
  });

  it('names its network volume, as a link to its files', async () => {
    const onVolume = lenientPodSchema.parse({ ...pod, networkVolumeId: 'v1', volumeMountPath: '/data' });
    const volume = { id: 'v1', name: 'datasets', size: 10, dataCenterId: 'here' };
    const { screen } = renderPage(
      <OverviewTab accountId={thisComputer.id} overSsh={false} row={{ pod: onVolume, facts }} />,
      {
        ...noPodConnections,
        accounts: { list: () => [thisComputer] },
        resources: {
          now: () => ({
            templates: [],
            volumes: [{ ...volume, usedBy: [], folder: null }],
            registryAuths: [],
            podsProblem: null,
            hasFiles: true,
          }),
        },
      },
    );
    const link = await screen.findByRole('link', { name: 'datasets' });
    expect(link).toHaveAttribute('href', '#/resources/volumes/v1');
    expect(link.closest('dd')).toHaveTextContent('network volume datasets at /data');
  });

  it('says which of its fields were accepted without effect, and why', () => {
    const { screen } = renderOverview({ ...facts, notes: [unlimited] });
    expect(screen.getByText('No effect').nextElementSibling).toHaveTextContent(unlimitedWords);
  });

  it('lists several of them', () => {
    const { screen } = renderOverview({ ...facts, notes: [unlimited, 'locked is kept and has no effect here.'] });
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      unlimitedWords,
      'locked is kept and has no effect here.',
    ]);
  });

  it.each([
    ['an engine that has none', facts],
    ['an account that does not tell', null],
  ])('says nothing of the kind for %s', (_, podFacts) => {
    const { screen } = renderOverview(podFacts);
    expect(screen.getByRole('region', { name: 'Facts' })).toBeVisible();
    expect(screen.queryByText('No effect')).toBeNull();
  });
});
