import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { JobSetAside } from '#contract/bridge/machine.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { QuarantineList } from './QuarantineList.tsx';

const job: JobSetAside = {
  id: 'job-1',
  endpointId: 'e',
  crashes: 2,
  submittedAt: '2026-01-01T00:00:00.000Z',
  preview: 'a prompt',
};

it('A job that was set aside is cancelled once a person confirms; a refusal is said in the same dialog', async () => {
  let jobs = [job];
  let isAway = true;
  renderPage(<QuarantineList accountId="a" endpointNames={new Map([['e', 'words']])} />, {
    machine: {
      setAside: () => jobs,
      cancel() {
        if (isAway) throw new Error('The engine does not answer.');
        jobs = [];
      },
    },
  });
  const open = await screen.findByRole('button', { name: 'Cancel job job-1' });
  await userEvent.click(open);
  const dialog = await screen.findByRole('dialog', { name: 'Cancel this job?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Keep it' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByText('words')).toBeVisible();

  await userEvent.click(open);
  const again = await screen.findByRole('dialog', { name: 'Cancel this job?' });
  await userEvent.click(within(again).getByRole('button', { name: 'Cancel the job' }));
  expect(await within(again).findByText('Not done.')).toBeVisible();
  isAway = false;
  await userEvent.click(within(again).getByRole('button', { name: 'Cancel the job' }));
  await waitFor(() => expect(screen.queryByText('words')).toBeNull());
});
