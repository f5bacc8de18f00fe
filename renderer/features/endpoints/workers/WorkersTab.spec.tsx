import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Lane } from '#contract/local/log.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { endpointRow } from '../../../../test/support/page/endpoints.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { queryClient } from '../../../client/transport/orpc.ts';
import { formatWhen } from '../../../ui/text/format.ts';
import { WorkersTab } from './WorkersTab.tsx';

const HOUR_MS = 3_600_000;

/** `until`: the facts of the machine come after it. */
function show(startedAgoMs: number, lanes: Lane[] = [], until: Promise<unknown> = Promise.resolve()) {
  const startedAt = Date.now() - startedAgoMs;
  const page = renderPage(<WorkersTab accountId={thisComputer.id} row={endpointRow(null)} account={thisComputer} />, {
    accounts: { list: () => [thisComputer] },
    workers: { lanes: () => lanes },
    machine: {
      workers: () => [],
      facts: async () => {
        await until;
        return {
          name: 'hangar',
          version: '1.2.3',
          startedAt: new Date(startedAt).toISOString(),
          notices: [],
          disk: { freeBytes: null, full: false, reserveBytes: 0 },
          backup: { lastAt: null, problem: null },
        };
      },
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

const idleLane = (): Lane => {
  const at = new Date(Date.now() - 30_000).toISOString();
  return {
    workerId: 'w-1',
    endpointId: 'e',
    spans: [{ state: 'idle', from: at, to: null, jobIds: [] }],
    end: null,
  };
};

it('The workers appear together with the line above them, which would move them', async () => {
  let tell: () => void = () => undefined;
  const facts = new Promise<void>((resolve) => (tell = resolve));
  const { screen, when } = show(60_000, [idleLane()], facts);
  // Only the facts are awaited still.
  await waitFor(() => expect(queryClient.isFetching()).toBe(1));
  const lanes = { name: /^History of the workers/ };
  expect(screen.queryByRole('group', lanes)).toBeNull();
  expect(document.querySelector('[aria-busy=true]')).toBeVisible();
  tell();
  expect(await screen.findByRole('group', lanes)).toBeVisible();
  expect(screen.getByText(`The engine started at ${when}. It does not remember earlier workers.`)).toBeVisible();
});

it('So it does beside the workers since then', async () => {
  const { screen, when } = show(60_000, [idleLane()]);
  expect(await screen.findByText(`The engine started at ${when}. It does not remember earlier workers.`)).toBeVisible();
});

it('A period that the engine knows has no such word, and a longer one than it keeps says how much it knows', async () => {
  const { user, screen } = show(48 * HOUR_MS);
  expect(await screen.findByText('No workers in this period')).toBeVisible();
  await user.click(screen.getByRole('radio', { name: '24 h' }));
  expect(await screen.findByText('No workers in the last 6 h')).toBeVisible();
});
