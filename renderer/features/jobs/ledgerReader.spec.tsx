/** What is read of a long ledger while a person moves through it. */
import { expect, it } from 'vitest';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { LedgerReader } from './ledgerReader.ts';

const MATCHING = 1000;
const nothing = () => undefined;

it('The rows that come next are read while a person scrolls, and only those in sight after a jump', async () => {
  const offsets: number[] = [];
  const list = ({ offset, limit }: { offset: number; limit: number }) => {
    offsets.push(offset);
    const entries = Array.from({ length: limit }, (_, at) => entryOf({ entryId: `entry-${offset + at}` }));
    return { entries, matching: MATCHING, total: MATCHING, complete: true };
  };
  const { screen } = renderPage(<p>shown</p>, { jobs: { list } });
  await screen.findByText('shown');
  const reader = new LedgerReader({}, { onChange: nothing, onShift: nothing, onProblem: nothing });
  await expect.poll(() => reader.start()).toBe(true);
  offsets.length = 0;

  reader.show({ first: 50, last: 80 });
  await expect.poll(() => offsets).toEqual([100]);
  reader.show({ first: 850, last: 880 });
  await expect.poll(() => offsets).toEqual([100, 800]);
  reader.show({ first: 840, last: 870 });
  await expect.poll(() => offsets).toEqual([100, 800, 700]);
  reader.stop();
});
