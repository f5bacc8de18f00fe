import { useLayoutEffect } from 'react';
import { act, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Answers } from '../../../../test/support/page/app.ts';
import { entryOf } from '../../../../test/support/page/jobs.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { LedgerRows } from '../ledgerRows.ts';
import { useChosenJobs, type ChosenJobs } from './useChosenJobs.ts';

const rows = new LedgerRows({});

function Chosen({ onJobs }: { onJobs: (jobs: ChosenJobs) => void }) {
  const jobs = useChosenJobs({});
  // With the count: a passive effect may come later on a busy machine.
  useLayoutEffect(() => onJobs(jobs));
  return <output aria-label="Chosen">{jobs.chosen.size}</output>;
}

function show(answers: NonNullable<Answers['jobs']>) {
  const shown: ChosenJobs[] = [];
  const page = renderPage(<Chosen onJobs={(jobs) => void shown.push(jobs)} />, { jobs: answers });
  return { ...page, jobs: () => shown.at(-1)! };
}

const entriesOf = (offset: number, limit: number) =>
  Array.from({ length: limit }, (_, row) => entryOf({ entryId: `entry-${offset + row}` }));

it('A range with jobs that are not loaded is read, and chosen or not, up to the most at once', async () => {
  const { screen, jobs } = show({
    list: ({ offset, limit }) => ({ entries: entriesOf(offset, limit), matching: 5000, total: 5000, complete: true }),
  });
  const count = screen.getByLabelText('Chosen');
  const choose = (first: number, last: number, isChosen: boolean) =>
    act(() => jobs().choiceOf(rows).onRange?.({ first, last }, isChosen));
  choose(300, 900, true);
  await waitFor(() => expect(count).toHaveTextContent(/^601$/));
  choose(800, 900, false);
  await waitFor(() => expect(count).toHaveTextContent(/^500$/));
  expect(['entry-300', 'entry-799', 'entry-800'].map((id) => jobs().chosen.has(id))).toEqual([true, true, false]);
  choose(0, 4999, true);
  await waitFor(() => expect(count).toHaveTextContent(/^1000$/));
});

it('A read that the person no longer wants chooses nothing', async () => {
  let answer = (): void => undefined;
  const waits = new Promise<void>((resolve) => (answer = resolve));
  const limits: number[] = [];
  const { screen, jobs } = show({
    async list({ offset, limit }) {
      limits.push(limit);
      await waits;
      return { entries: entriesOf(offset, limit), matching: 500, total: 500, complete: true };
    },
  });
  act(() => jobs().chooseAll());
  await waitFor(() => expect(limits).toEqual([500]));
  act(() => jobs().chooseNone());
  act(() => jobs().choiceOf(rows).onRange?.({ first: 0, last: 0 }, true));
  await waitFor(() => expect(limits).toEqual([500, 1]));
  answer();
  await waitFor(() => expect(screen.getByLabelText('Chosen')).toHaveTextContent(/^1$/));
  expect(screen.queryByText('Not selected')).toBeNull();
});
