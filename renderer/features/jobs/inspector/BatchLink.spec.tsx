/** The way from a job back to its batch. */
import { expect, it } from 'vitest';
import { batchOf } from '../../../../test/support/page/batches.ts';
import { entryOf } from '../../../../test/support/page/jobs.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { useBatchViews } from '../../../client/jobs/batchView.ts';
import { BatchLink } from './BatchLink.tsx';

const list = () => [batchOf({ batchId: '00000000-0000-4000-8000-000000000002', tag: 'batch 00000002' }), batchOf()];

it('a job of a batch leads back to the table of its own batch', async () => {
  const entry = entryOf({ endpointName: 'words', tags: ['mine', 'batch 00000000'] });
  const { user, screen } = renderPage(<BatchLink entry={entry} />, { batches: { list } });
  await user.click(await screen.findByRole('link', { name: 'Batch of words' }));
  expect(location.hash).toBe('#/run/e/batch');
  expect([...useBatchViews.getState().chosen.values()]).toEqual([batchOf().batchId]);
});

it('a job with another tag has no such link, and asks for no batches', () => {
  const { screen } = renderPage(<BatchLink entry={entryOf({ tags: ['batch of mine'] })} />, {});
  expect(screen.queryByRole('link')).toBeNull();
});
