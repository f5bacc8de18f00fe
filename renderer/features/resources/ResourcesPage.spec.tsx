import { act } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ResourcesNow } from '#contract/bridge/resource.ts';
import { loseApp } from '../../../test/support/page/app.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
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

  it('keeps the last list while Hangar is away, and says how old it is', async () => {
    const { screen } = renderResources('templates');
    await screen.findByText(/^No template/);
    await act(loseApp);
    expect(screen.getByRole('status')).toHaveTextContent(/^As of .* · offline$/);
    expect(screen.getByText(/^No template/)).toBeVisible();
  });
});
