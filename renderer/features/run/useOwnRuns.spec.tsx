import { expect, it } from 'vitest';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { useJobChangesFeed } from '../../client/jobs/jobChanges.ts';
import { rangeWords } from './usualRuns.ts';
import { useOwnRuns } from './useOwnRuns.ts';

function Usual() {
  useJobChangesFeed();
  const { usual, yields } = useOwnRuns('this-machine', 'e');
  return <output>{`${usual === null ? 'unknown' : rangeWords(usual)}${yields === true ? ', yields' : ''}`}</output>;
}

it('What a job usually takes, and whether the handler yields, is read again when a job of the endpoint has ended', async () => {
  const done = (ms: number) => entryOf({ status: 'COMPLETED', executionTime: ms });
  let entries: LedgerEntry[] = [done(1000), done(1000)];
  let tell = (_: LedgerEntry): void => undefined;
  const ended = new Promise<LedgerEntry>((resolve) => (tell = resolve));
  const { screen } = renderPage(<Usual />, {
    jobs: {
      list: () => ({ entries, matching: entries.length, complete: true, total: entries.length }),
      async *changes(_, signal) {
        yield { entries: [await ended], others: 0 };
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    },
  });
  expect(await screen.findByText('unknown')).toBeVisible();
  entries = [{ ...done(1000), chunkCount: 3 }, done(2000), done(2000)];
  tell(done(2000));
  expect(await screen.findByText('1–2 s, yields')).toBeVisible();
});
