import { expect, it } from 'vitest';
import type { JobChanges, LedgerEntry } from '#contract/app/ledger.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { createSampler } from '../../../test/support/page/sampler.ts';
import { useJobChanges, useJobChangesFeed } from './jobChanges.ts';
import { useJobCounts } from './jobCounts.ts';

it('the number of waiting jobs changes with the list, before the jobs are counted again', async () => {
  const shown: string[] = [];
  let last: LedgerEntry['status'] = 'IN_QUEUE';
  function Probe() {
    useJobChangesFeed();
    useJobChanges(([entry]) => {
      if (entry) last = entry.status;
    });
    const { counts } = useJobCounts();
    shown.push(`${last}: ${counts?.queued ?? '-'} queued`);
    return <p>{`${counts?.queued ?? '-'} queued`}</p>;
  }
  const changes = createSampler<JobChanges>();
  let reads = 0;
  const { screen } = renderPage(<Probe />, {
    jobs: {
      changes: (_, signal) => changes.open({ everyMs: 0 }, signal),
      counts: () => {
        reads += 1;
        // The answer of a busy app does not come while this test runs.
        return reads > 1 ? new Promise(() => undefined) : { running: 0, queued: 1, since: 1, failed: 0 };
      },
    },
  });
  expect(await screen.findByText('1 queued')).toBeVisible();
  await changes.say({ entries: [entryOf({ status: 'COMPLETED' })], others: 0, open: { running: 0, queued: 0 } });
  expect(await screen.findByText('0 queued')).toBeVisible();
  expect(shown).not.toContain('COMPLETED: 1 queued');
});
