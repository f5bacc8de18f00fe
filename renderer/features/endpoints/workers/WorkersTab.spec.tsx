import { expect, it } from 'vitest';
import type { Lane } from '#contract/local/log.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { endpointRow } from '../../../../test/support/page/endpoints.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { formatWhen } from '../../../ui/text/format.ts';
import { WorkersTab } from './WorkersTab.tsx';

const HOUR_MS = 3_600_000;

function show(startedAgoMs: number, lanes: Lane[] = []) {
  const startedAt = Date.now() - startedAgoMs;
  const page = renderPage(<WorkersTab accountId={thisComputer.id} row={endpointRow(null)} account={thisComputer} />, {
    accounts: { list: () => [thisComputer] },
    workers: { lanes: () => lanes },
    machine: {
      workers: () => [],
      facts: () => ({
        name: 'hangar',
        version: '1.2.3',
        startedAt: new Date(startedAt).toISOString(),
        notices: [],
        disk: { freeBytes: null, full: false, reserveBytes: 0 },
        backup: { lastAt: null, problem: null },
      }),
    },
  });
  return { ...page, when: formatWhen(startedAt) };
}

it('After a start of the engine, the history says since when it is known', async () => {
  const { screen, when } = show(60_000);
  expect(await screen.findByText(`No workers since ${when}`)).toBeVisible();
  expect(
    screen.getByText(new RegExp(`The engine started at ${when}. It does not remember earlier workers.`)),
  ).toBeVisible();
  expect(screen.queryByText('No workers in this period')).toBeNull();
});

it('So it does beside the workers since then', async () => {
  const at = new Date(Date.now() - 30_000).toISOString();
  const lane: Lane = {
    workerId: 'w-1',
    endpointId: 'e',
    spans: [{ state: 'idle', from: at, to: null, jobIds: [] }],
    end: null,
  };
  const { screen, when } = show(60_000, [lane]);
  expect(await screen.findByText(`The engine started at ${when}. It does not remember earlier workers.`)).toBeVisible();
});

it('A period that the engine knows has no such word, and a longer one than it keeps says how much it knows', async () => {
  const { user, screen } = show(48 * HOUR_MS);
  expect(await screen.findByText('No workers in this period')).toBeVisible();
  await user.click(screen.getByRole('radio', { name: '24 h' }));
  expect(await screen.findByText('No workers in the last 6 h')).toBeVisible();
});
