import { expect, it } from 'vitest';
import type { EngineStatus } from '#contract/app/account.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { useEngine } from '../../client/engine.ts';
import { StaleNotice } from '../../ui/domain/StaleNotice.tsx';
import { formatTime } from '../../ui/text/format.ts';
import { Banners } from './Banners.tsx';

const NOON = Date.UTC(2026, 0, 15, 12);

const silent: EngineStatus = {
  state: 'ready',
  silentSince: NOON,
  address: 'http://127.0.0.1:47800',
  restarts: 0,
  nextTryAt: null,
  reason: null,
  notices: [],
};

it('An engine that hangs is said to be silent, since when, and once', async () => {
  useEngine.setState({ status: silent });
  const { screen } = renderPage(
    <>
      <Banners />
      <StaleNotice at={NOON} problem="No answer for 8 s." retry={() => undefined} children="Old numbers." />
    </>,
    { accounts: { list: () => [] } },
  );
  expect(await screen.findByText('The engine does not answer.')).toBeVisible();
  expect(screen.getByText(`No answer since ${formatTime(NOON)}. You see the last known data.`)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Restart the engine' })).toBeVisible();
  expect(screen.queryByText(/No answer for 8 s/)).toBeNull();
});
