import { screen, waitFor } from '@testing-library/react';
import { ORPCError } from '@orpc/server';
import { expect, it } from 'vitest';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { savedAnswers } from '../../../../test/support/page/saved.ts';
import { useSavedFeed } from '../../../client/saved/savedStore.ts';
import { useJobsFilter } from '../../../state/jobsFilter.ts';
import { FILTERS, filterText } from './savedFilters.ts';
import { SavedFilters } from './SavedFilters.tsx';

function Filters() {
  useSavedFeed(FILTERS);
  return <SavedFilters filter={useJobsFilter()} onUse={() => undefined} />;
}
const name = () => screen.getByRole('textbox', { name: 'Name of the filter' });

it('Filters are saved, used, removed and put back; those of other pages show, those of newer versions do not', async () => {
  const saved = savedAnswers([{ ...FILTERS, name: 'newer', text: '{"state": "unheard of"}' }]);
  useJobsFilter.setState({ state: 'failed', text: 'boom' });
  const { user } = renderPage(<Filters />, { saved });
  await user.type(name(), 'bad ones{Enter}');
  expect(await screen.findByRole('button', { name: 'bad ones' })).toBeVisible();
  expect(name()).toHaveValue('');
  useJobsFilter.setState({ state: 'any', text: '' });
  await user.click(screen.getByRole('button', { name: 'bad ones' }));
  expect(useJobsFilter.getState()).toMatchObject({ state: 'failed', text: 'boom' });

  saved.save({ ...FILTERS, name: 'elsewhere', text: filterText(useJobsFilter.getState()) });
  expect(await screen.findByRole('button', { name: 'elsewhere' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'newer' })).toBeNull();

  await user.click(screen.getByRole('button', { name: 'Remove the saved filter bad ones' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'bad ones' })).toBeNull());
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('button', { name: 'bad ones' })).toBeVisible();
});

it('A filter that cannot be saved, removed or put back is said, and its name stays', async () => {
  const saved = savedAnswers();
  let isFull = true;
  const refuse = (): void => {
    if (isFull) throw new ORPCError('STORAGE_FULL', { status: 507, message: 'The disk is full.' });
  };
  useJobsFilter.setState({ state: 'failed' });
  const { user } = renderPage(<Filters />, {
    saved: {
      ...saved,
      save(document) {
        refuse();
        return saved.save(document);
      },
      remove(input) {
        refuse();
        return saved.remove(input);
      },
    },
  });
  await user.type(name(), 'bad ones{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('Not saved: The disk is full.');
  expect(name()).toHaveValue('bad ones');
  isFull = false;
  await user.type(name(), '{Enter}');
  const remove = await screen.findByRole('button', { name: 'Remove the saved filter bad ones' });
  isFull = true;
  await user.click(remove);
  expect(await screen.findByText('Not removed: The disk is full.')).toBeVisible();
  isFull = false;
  await user.click(remove);
  await waitFor(() => expect(remove).not.toBeInTheDocument());
  isFull = true;
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Not put back: The disk is full.')).toBeVisible();
});
