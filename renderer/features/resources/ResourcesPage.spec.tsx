import { act } from '@testing-library/react';
import { ORPCError } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import type { ResourcesNow } from '#contract/bridge/resource.ts';
import { loseApp } from '../../../test/support/page/app.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { machineOf } from '../../../test/support/page/machine.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import ResourcesPage from './ResourcesPage.tsx';

const none: ResourcesNow = { templates: [], volumes: [], registryAuths: [], podsProblem: null, hasFiles: true };

const renderResources = (tab: 'templates' | 'volumes' | 'registries') =>
  renderPage(<ResourcesPage tab={tab} volumeId={null} path="" />, {
    accounts: { list: () => [thisComputer] },
    resources: { now: () => none },
  });

describe('the resources page', () => {
  it.each([
    ['templates', /^No template on this computer yet/],
    ['volumes', /^No volume on this computer yet/],
    ['registries', /^No registry credentials on this computer yet/],
  ] as const)('says that there are no %s', async (tab, words) => {
    const { screen } = renderResources(tab);
    expect(await screen.findByText(words)).toBeVisible();
  });

  it('shows images with what uses them, and removes those that nothing uses, each with its result', async () => {
    const removed: string[] = [];
    const image = (name: string, sizeBytes: number, containers: string[]) => ({
      name,
      sizeBytes,
      createdAt: '2026-01-01T00:00:00.000Z',
      containers,
    });
    const pod = lenientPodSchema.parse({ id: '4f2c', name: 'trainer', desiredStatus: 'RUNNING' });
    const { screen, user } = renderPage(<ResourcesPage tab="images" volumeId={null} path="" />, {
      accounts: { list: () => [thisComputer] },
      resources: { now: () => none },
      pods: { now: () => ({ rows: [{ pod, facts: null }], factsProblem: null, lacks: [], containerProblem: null }) },
      machine: {
        // Without a container engine nothing can be pulled.
        get: () => machineOf(),
        images: () => [
          image('me/used:1', 3e9, ['hangar-pod-4f2c-930a01', 'postgres']),
          image('me/old:1', 2e9, []),
          image('me/busy:1', 1e9, []),
        ],
        removeImage: ({ name }) => {
          if (name === 'me/busy:1') throw new ORPCError('CONFLICT', { message: 'A container was made from it.' });
          removed.push(name);
        },
      },
    });
    expect(await screen.findByText('Pod trainer, container postgres')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Remove unused…' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog).not.toHaveTextContent('me/used:1');
    await user.click(screen.getByRole('button', { name: 'Remove 2 images' }));
    expect(await screen.findByText('1 of 2 were removed.')).toBeVisible();
    expect(dialog).toHaveTextContent('me/busy:1 · 954 MB · A container was made from it.');
    expect(removed).toEqual(['me/old:1']);
  });

  it('keeps the last list while Hangar is away, and says how old it is', async () => {
    const { screen } = renderResources('templates');
    await screen.findByText(/^No template/);
    await act(loseApp);
    expect(screen.getByRole('status')).toHaveTextContent(/^As of .* · offline$/);
    expect(screen.getByText(/^No template/)).toBeVisible();
  });
});
