import { act } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { EngineStatus } from '#contract/app/account.ts';
import { loseApp } from '../../../test/support/page/app.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { useEngine } from '../../client/engine.ts';
import { GeneralTab } from './GeneralTab.tsx';

const ready: EngineStatus = {
  state: 'ready',
  silentSince: null,
  address: 'http://127.0.0.1:47800',
  restarts: 0,
  nextTryAt: null,
  reason: null,
  notices: [],
};
afterEach(() => useEngine.setState({ status: null }));

it('The settings say the state of the engine while Hangar tells it, and that it is unknown while Hangar is away', async () => {
  useEngine.setState({ status: ready });
  const { screen } = renderPage(<GeneralTab />, {
    host: { info: () => ({ kind: 'headless', version: '1.2.3', platform: 'linux', dataDir: '/data' }) },
  });
  const state = () => screen.getByText('State', { selector: 'dt' }).nextElementSibling;
  expect(await screen.findByText('1.2.3, in a browser')).toBeVisible();
  expect(state()).toHaveTextContent('ready');
  await act(loseApp);
  expect(state()).toHaveTextContent('unknown');
});
