import { expect, it } from 'vitest';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { entryOf } from '../../../../test/support/page/jobs.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { JobFacts } from './JobFacts.tsx';

it.each([
  ['before its endpoint has a bill', 2000, [], '– Its usage is still being counted'],
  ['before it has run', null, [{ amount: 0.0036, timeMs: 3000 }], '– Known once the job has run.'],
  ['where no price is set', 2000, [{ amount: 0, timeMs: 3000 }], '– No price was set when it ran. Set a price'],
  ['as an estimate', 2000, [{ amount: 0.0036, timeMs: 3000 }], '≈ $0.0024 Estimated from its run time'],
])('the cost of a job, %s', async (_when, executionTime, bills, words) => {
  const entry = entryOf(
    executionTime === null ? {} : { status: 'COMPLETED', startedAt: 2, finishedAt: 3, executionTime },
  );
  const row = { time: '', kind: 'endpoint' as const, id: entry.endpointId, name: null, exists: true, gb: null };
  const { screen } = renderPage(<JobFacts entry={entry} />, {
    jobs: { tags: () => [] },
    accounts: { list: () => [thisComputer] },
    billing: { read: () => bills.map((bill) => ({ ...row, ...bill })) },
  });
  const term = await screen.findByText('Cost');
  await expect.poll(() => term.nextElementSibling?.textContent).toMatch(words);
});

it('The cost of a refused job says that it did not run', async () => {
  const { screen } = renderPage(<JobFacts entry={entryOf({ status: 'REFUSED', jobId: null, finishedAt: 2 })} />, {
    jobs: { tags: () => [] },
    accounts: { list: () => [thisComputer] },
    billing: { read: () => [] },
  });
  const term = await screen.findByText('Cost');
  await expect.poll(() => term.nextElementSibling?.textContent).toBe('– The job did not run.');
});
