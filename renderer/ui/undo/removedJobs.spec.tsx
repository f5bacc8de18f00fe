import { waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { useJobCounts } from '../../client/jobs/jobCounts.ts';
import { removeJobs, useRemovedJobs } from './removedJobs.ts';

function Page() {
  useRemovedJobs();
  return null;
}

const answers = (calls: string[], removed: string[] = []) => ({
  jobs: {
    removed: () => ({ entryIds: removed }),
    forget: ({ entryIds }: { entryIds: string[] }) => ({ removed: entryIds.length }),
    restore({ entryIds }: { entryIds: string[] }) {
      calls.push(`restore ${entryIds.join(' ')}`);
      return { restored: entryIds.length - 1 };
    },
    discard({ entryIds }: { entryIds: string[] }) {
      calls.push(`discard ${entryIds.join(' ')}`);
      return {};
    },
  },
});

it('removed jobs are deleted for good once their notice is closed', async () => {
  const calls: string[] = [];
  const { user, screen } = renderPage(null, answers(calls));
  await removeJobs(['a', 'b']);
  const notice = (await screen.findByText('Removed 2 jobs')).closest<HTMLElement>('[role=alert]')!;
  expect(calls).toEqual([]);
  await user.click(within(notice).getByRole('button', { name: /close|dismiss/i }));
  await waitFor(() => expect(calls).toEqual(['discard a b']));
});

it('a page that is loaded anew offers again to put removed jobs back, and says if one is gone', async () => {
  const calls: string[] = [];
  const { user, screen } = renderPage(<Page />, answers(calls, ['a', 'b', 'c']));
  await screen.findByText('Removed 3 jobs');
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Not all jobs were put back')).toBeVisible();
  expect(calls).toEqual(['restore a b c']);
});

it('the numbers of jobs are read again once jobs are removed, and once they are put back', async () => {
  let counted = 0;
  const counts = () => {
    counted += 1;
    return { running: 0, queued: 0, since: 34, failed: 0 };
  };
  const jobs = { ...answers([]).jobs, counts, restore: () => ({ restored: 2 }) };
  const Counts = () => <output>{useJobCounts().counts?.since}</output>;
  const { user, screen } = renderPage(<Counts />, { jobs });
  await screen.findByText('34');
  await removeJobs(['a', 'b']);
  // A slow page reads the numbers once more by itself.
  await waitFor(() => expect(counted).toBeGreaterThanOrEqual(2));
  const before = counted;
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(counted).toBeGreaterThan(before));
});
