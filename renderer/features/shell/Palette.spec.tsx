import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { LedgerEntry, LedgerFilter } from '#contract/app/ledger.ts';
import { FAILED_STATUSES } from '#contract/app/jobs/failures.ts';
import type { EndpointSummary } from '#contract/bridge/index.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { shellPages } from '../../pages.ts';
import { useCommands } from '../../state/commands.ts';
import { useJobsFilter } from '../../state/jobsFilter.ts';
import { palette, useOverlays } from '../../state/overlays.ts';
import Palette from './Palette.tsx';

/** A page whose part for the main action appears after another. */
function RunPart() {
  useCommands([{ label: 'Mode: Chat', run: () => undefined }]);
  useCommands([{ label: 'Run on this computer', keys: 'Mod+Enter', isMain: true, run: () => undefined }]);
  return null;
}

const jobId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const entries = [
  entryOf({ entryId: 'one', jobId, preview: 'four cats playing poker', status: 'COMPLETED' }),
  entryOf({ entryId: 'two', jobId, preview: 'a dog', status: 'FAILED', error: 'no memory' }),
];

const endpoint: EndpointSummary = {
  accountId: THIS_MACHINE,
  id: 'p1',
  name: 'painter',
  imageName: 'file:///home/me/painter',
  workersMin: 0,
  workersMax: 1,
  runtime: 'python',
  publicSdk: null,
  available: true,
  reason: null,
  sampleInput: null,
  description: 'Draws',
};

/** `search`: what the ledger finds for a filter. */
function open(search: (filter: LedgerFilter) => LedgerEntry[] = () => entries, matching = 2) {
  const { user, screen } = renderPage(
    <>
      <RunPart />
      <Palette pages={shellPages} />
    </>,
    {
      accounts: { list: () => [] },
      jobs: {
        list: ({ filter }: { filter: LedgerFilter }) => ({
          entries: search(filter),
          matching,
          complete: true,
          total: 20,
        }),
      },
      endpoints: { list: () => [endpoint] },
      pods: { now: () => ({ rows: [], factsProblem: null, lacks: [], containerProblem: null }) },
    },
  );
  act(palette.open);
  return { user, screen };
}

const textsOf = (part: string) =>
  [...document.querySelectorAll(`.mantine-Spotlight-${part}`)].map(({ textContent }) => textContent);

it('the palette begins with the main action of the page, with its keys, then has its other actions and the pages', async () => {
  const { screen } = open();
  await screen.findByText('Run on this computer');
  expect(textsOf('actionLabel').slice(0, 3)).toEqual(['Run on this computer', 'Mode: Chat', 'Home']);
  expect(textsOf('action')[0]).toMatch(/Enter|↵/);
});

it('the palette shows jobs by their input or error, with endpoint, state and short id, and finds them by the whole id', async () => {
  const { user, screen } = open();
  const job = await screen.findByText('four cats playing poker');
  expect(job.closest('button')).toHaveTextContent(/words · 0f8f…950e · .*Done/);
  expect(screen.getByText('a dog · no memory').closest('button')).toHaveTextContent('Failed');
  expect(screen.queryByText(new RegExp(jobId))).toBeNull();
  await user.type(screen.getByRole('textbox', { name: 'Search or run a command' }), jobId);
  await waitFor(() =>
    expect(textsOf('actionLabel')).toEqual(['four cats playing poker', 'a dog · no memory', 'All 2 jobs like this']),
  );
});

it('the palette asks the ledger for the words that are typed, and opens Jobs with this search', async () => {
  const old = entryOf({ entryId: 'old', preview: 'n 10', status: 'FAILED' });
  const filters: LedgerFilter[] = [];
  const { user, screen } = open((filter) => {
    filters.push(filter);
    return filter.text === 'poker night' ? [old] : [];
  }, 31);
  const field = await screen.findByRole('textbox', { name: 'Search or run a command' });
  await user.clear(field);
  await user.type(field, 'failed poker night');
  expect(await screen.findByText('n 10')).toBeInTheDocument();
  expect(filters).toContainEqual({ statuses: [...FAILED_STATUSES], text: 'poker night' });
  await user.click(screen.getByText('All 31 jobs like this'));
  expect(location.hash).toBe('#/jobs');
  expect(useJobsFilter.getState()).toMatchObject({ state: 'failed', text: 'poker night' });
});

it('Enter on an endpoint opens it; lines of their own, for a query only, run it and edit its code', async () => {
  const { user, screen } = open(() => [], 0);
  const field = await screen.findByRole('textbox', { name: 'Search or run a command' });
  await user.clear(field);
  await screen.findByText('painter');
  expect(textsOf('actionLabel')).not.toContain('Run a job on painter');
  await user.type(field, 'edit code');
  await waitFor(() => expect(textsOf('actionLabel')).toEqual(['Edit the code of painter']));
  await user.clear(field);
  await user.type(field, 'painter');
  await waitFor(() =>
    expect(textsOf('actionLabel')).toEqual(['painter', 'Run a job on painter', 'Edit the code of painter']),
  );
  await user.keyboard('{Enter}');
  expect(location.hash).toBe('#/endpoints/p1');
});

it('the palette makes an API key from every page, on the page of the keys', async () => {
  const { user, screen } = open();
  const field = await screen.findByRole('textbox', { name: 'Search or run a command' });
  await user.clear(field);
  await user.type(field, 'api key');
  await user.keyboard('{Enter}');
  expect(location.hash).toBe('#/settings/keys');
  expect(useOverlays.getState().newApiKey).toBe(true);
});
