import { screen, waitFor, within } from '@testing-library/react';
import { ORPCError } from '@orpc/server';
import { expect, it, vi } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { savedAnswers } from '../../../../test/support/page/saved.ts';
import { SavedBlock } from './SavedBlock.tsx';

const input = { kind: 'input', accountId: THIS_MACHINE, endpointId: 'e' } as const;
const table = () => screen.findByRole('table', { name: 'Saved in the window' });
const row = async (name: RegExp) => within(await table()).findByRole('row', { name });

it('What was saved is listed with its place and size, copied, and removed alone or with all of its kind', async () => {
  const saved = savedAnswers([
    { ...input, name: 'small', text: 'x'.repeat(2048) },
    { ...input, name: 'large', text: '{"input": 1}' },
    { kind: 'filter', accountId: '', endpointId: '', name: 'bad ones', text: '{}' },
    { kind: 'chat', accountId: THIS_MACHINE, endpointId: 'e', name: 'an-id', text: '{}' },
  ]);
  const { user } = renderPage(<SavedBlock />, { saved });
  expect(await row(/^small\s*Saved input · resize · This computer/)).toHaveTextContent('2.0 KB');
  expect(await row(/^Conversation of .*resize · This computer/)).toBeVisible();
  expect(screen.getByText('4 documents')).toBeVisible();
  const writeText = vi.spyOn(navigator.clipboard, 'writeText');
  await user.click(screen.getByRole('button', { name: 'More for large' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Copy the text' }));
  await waitFor(() => expect(writeText).toHaveBeenCalledWith('{"input": 1}'));

  await user.click(screen.getByRole('button', { name: 'More for bad ones' }));
  expect(screen.queryByRole('menuitem', { name: /Remove all/ })).toBeNull();
  await user.click(await screen.findByRole('menuitem', { name: 'Remove…' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.getByText('3 documents')).toBeVisible());

  await user.click(screen.getByRole('button', { name: 'More for large' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Remove all 2 of its kind here…' }));
  const dialog = await screen.findByRole('dialog');
  expect(
    within(dialog)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['small', 'large']);
  await user.click(within(dialog).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.getByText('1 document')).toBeVisible());
  saved.save({ ...input, name: 'of another page', text: '' });
  expect(await row(/^of another page/)).toBeVisible();
});

it('A removal that fails says so in its dialog, and nothing is there says so', async () => {
  const saved = savedAnswers([{ ...input, name: 'one', text: '1' }]);
  let isFull = true;
  const { user } = renderPage(<SavedBlock />, {
    saved: {
      ...saved,
      remove(chosen) {
        if (isFull) throw new ORPCError('STORAGE_FULL', { status: 507, message: 'The disk is full.' });
        return saved.remove(chosen);
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'More for one' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Remove…' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(await dialog.findByText('The disk is full.')).toBeVisible();
  isFull = false;
  await user.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('nothing yet')).toBeVisible();
});
