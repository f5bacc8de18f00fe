import { within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { endpointRow } from '../../../test/support/page/endpoints.ts';
import { sumsOf } from '../../../test/support/page/metrics.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { EndpointsCard } from './EndpointsCard.tsx';

const row = (name: string) => ({ ...endpointRow(null), id: name, name });
/** Of these jobs the first one ran twice: it failed, was retried and succeeded. */
const total = (name: string, accepted: number) => ({
  endpointId: name,
  total: sumsOf({ accepted, completed: accepted, failed: Math.min(accepted, 1), execution: { p50: 840, p95: 1200 } }),
});

it('The endpoints with jobs are listed, the busiest first, and the others are not', async () => {
  const { screen } = renderPage(<EndpointsCard />, {
    accounts: { list: () => [thisComputer] },
    endpoints: {
      now: () => ({ rows: [row('idle'), { ...row('whisper'), workersMax: 0 }, row('sdxl')], pause: null }),
      totals: () => [total('idle', 0), total('whisper', 31), total('sdxl', 204)],
    },
  });
  const table = await screen.findByRole('table');
  expect(
    within(table)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['sdxl', 'whisper']);
  expect(within(table).getByRole('columnheader', { name: 'Runs' })).toHaveAttribute(
    'title',
    'A job that ran again counts once for each run. Runs of jobs that you removed from Jobs count, too.',
  );
  expect(within(table).getByRole('row', { name: /sdxl/ })).toHaveTextContent('205840 ms1.2 s–');
  expect(within(table).getByRole('row', { name: /whisper/ })).toHaveTextContent('32840 ms1.2 sPaused');
});
