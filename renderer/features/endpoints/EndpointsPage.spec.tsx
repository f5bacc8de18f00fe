/** The Endpoints page, before and beside its list. */
import { act } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { commandsNow } from '../../state/commands.ts';
import { closeNewEndpoint } from '../../state/overlays.ts';
import EndpointsPage from './EndpointsPage.tsx';

afterEach(() => act(closeNewEndpoint));

it('a new endpoint begins as a handler of its own, which needs no folder yet', async () => {
  const { screen } = renderPage(<EndpointsPage endpointId={null} tab="overview" />, {
    accounts: { list: () => [thisComputer] },
    host: { listFolder: ({ path }) => ({ path, rest: '', parent: null, home: '/home/me', entries: [], isCut: false }) },
    endpoints: {
      now: () => ({ rows: [], pause: null }),
      choices: () => ({
        volumes: [],
        registryAuths: [],
        gpuTypes: null,
        folders: true,
        imageProblem: null,
        samples: [],
      }),
    },
  });
  await screen.findByText(/^No endpoint on/);
  act(() =>
    commandsNow()
      .find(({ keys }) => keys === 'N')
      ?.run(),
  );
  expect(await screen.findByRole('radio', { name: 'New handler' })).toBeChecked();
});
